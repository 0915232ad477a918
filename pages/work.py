"""What the learner has done."""

from pages.shell.mine import show

show()
