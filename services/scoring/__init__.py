"""Scoring: decides stopped rounds again and awards them, keeps standings, lobby and history, and audits."""
