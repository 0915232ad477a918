"""The kinds of questions, one file each: how a question is written, checked, asked, answered, printed and counted.

A new kind is a subclass of `QuestionKind` in a file here, and a line in `Question` (`lessons/format/schema.py`): its
key in a step block. Page, class, hand-out and *My work* ask the object, and never which kind it is. It is drawn in one
of the looks of `pages/form/looks.js`; a new look is a class and a line there, and its name in `Form.look`.
"""
