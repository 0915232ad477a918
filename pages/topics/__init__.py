"""One package a topic: where a sampler, its controls and its charts meet.

`points` and `ladder` are no topics: several topics share what is in them, as they share the modules here.
"""
