from vestige.report.markdown import escape, join_blocks, render_command, render_list, render_repetition, render_table


def test_foreign_words_can_neither_mark_nor_link():
    hostile = "a|b *c* [d](http://e) ![f](g) <img> `h`\n# i & j"
    assert escape(hostile) == r"a\|b \*c\* \[d\](http://e) \!\[f\](g) &lt;img&gt; \`h\` \# i &amp; j"


def test_a_table_escapes_all_but_raw_columns():
    table = render_table(("", "Gate"), [("**failed**", "a*b"), ("held", "c")], raw=1)
    assert table == "|  | Gate |\n| --- | --- |\n| **failed** | a\\*b |\n| held | c |"


def test_lists_and_commands():
    assert render_list(["a", "**b**"]) == "- a\n- **b**"
    assert render_command(["vestige audit", "--seed 0"]) == "    vestige audit \\\n      --seed 0"
    assert render_command(None) == ""


def test_empty_blocks_are_skipped():
    assert join_blocks(["# a", "", "b"]) == "# a\n\nb\n"


def test_how_to_repeat_a_run_is_a_file_and_a_command():
    blocks = render_repetition("[audit]\nseed = 0\n", ["vestige audit", "--seed 0"])
    assert blocks[1] == "    [audit]\n    seed = 0"
    assert blocks[3] == "    vestige audit \\\n      --seed 0"
    assert render_repetition(None, None) == []
