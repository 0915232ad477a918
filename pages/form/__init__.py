"""The form of a question: a value that Python makes, and one component that draws it for page, class and course."""
