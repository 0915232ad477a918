"""One package a topic: where a sampler, its controls and its charts meet."""
