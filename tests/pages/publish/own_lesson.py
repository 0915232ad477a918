"""A lesson in which learners choose the data, and may bring their own."""

OWN = """---
schema: 1
id: own
title: Own
stage: crp_mixture
track: clusters
minutes: 5
objectives: [see]
summary: [One, Two, Three]
show: [data]
---
## Bring {#bring}
- [ ] Bring your own points. {#mine}

```step
kind: sandbox
at: 0
publish: {data: [seven_points]}
goals: {mine: {settings: {data: own}, reach: {tables: 3}}}
```
"""
