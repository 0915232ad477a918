"""The studio: lessons are written, checked and saved in the browser, beside what learners will see."""
