"""The lessons of a course: the library, its folders, and a class's work."""
