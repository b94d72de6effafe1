"""The worked example of docs/extend.md."""
