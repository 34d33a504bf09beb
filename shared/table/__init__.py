"""The table: every rule of table.md, a pure decider around any game."""
