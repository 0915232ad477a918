"""What the stages share whose samplers give points their labels: runs, films, inspector and panels."""
