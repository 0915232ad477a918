"""The checks of a lesson: its pieces fit together and with its topic, and its runs do what it says."""
