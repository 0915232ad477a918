"""Data that learners see or bring: messages, words, tables."""
