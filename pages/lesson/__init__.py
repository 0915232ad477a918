"""The page of a topic: text, controls, questions, course map."""
