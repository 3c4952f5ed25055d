from dataclasses import replace
from xml.etree import ElementTree as ET

from tests.sample_preflight import CHECKS, preflighted
from tests.sample_result import CROSS_DOMAIN, HOSTILE, crowded, finding, result, typical
from vestige.report.junit import build_junit

GOLDEN = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="vestige" tests="5" failures="2" errors="0" skipped="1" time="0.000">
 <testsuite name="vestige.preflight" tests="1" failures="1" errors="0" skipped="0" time="0.000">
  <testcase classname="vestige.preflight" name="finite" time="0.000">
   <failure message="error: 2 of 200 vectors (1.00%) contain NaN or infinity.">error: 2 of 200 vectors (1.00%) contain \
NaN or infinity.</failure>
  </testcase>
 </testsuite>
 <testsuite name="vestige.findings" tests="2" failures="0" errors="0" skipped="1" time="0.000">
  <testcase classname="vestige.findings" name="words" time="0.000">
   <system-out>severe: A stranger who has similar text reads 58 of every 100 meaningful words of a text from its \
vector.</system-out>
  </testcase>
  <testcase classname="vestige.findings" name="words-cross-domain" time="0.000">
   <skipped message="no cross-domain text was given; name a corpus or a file that is not the owner's with \
--auxiliary">no cross-domain text was given; name a corpus or a file that is not the owner's with \
--auxiliary</skipped>
  </testcase>
 </testsuite>
 <testsuite name="vestige.limits" tests="2" failures="1" errors="0" skipped="0" time="0.000">
  <testcase classname="vestige.limits" name="words&gt;0.30" time="0.000">
   <failure message="leakage of 'words' is 0.457 (95% interval 0.445 to 0.469)">leakage of 'words' is 0.457 (95% \
interval 0.445 to 0.469)</failure>
  </testcase>
  <testcase classname="vestige.limits" name="words.recall&gt;0.9" time="0.000">
   <system-out>recall of 'words' is 0.585 (95% interval 0.573 to 0.597)</system-out>
  </testcase>
 </testsuite>
</testsuites>
"""


def test_word_for_word():
    assert build_junit(replace(typical(), preflight=preflighted(CHECKS[1]))) == GOLDEN


def test_only_what_ends_a_run_with_exit_code_1_fails():
    root = ET.fromstring(
        build_junit(replace(result(finding(leakage=0.9)), preflight=preflighted(CHECKS[0], CHECKS[2], CHECKS[3])))
    )
    assert root.get("failures") == "0"
    assert not root.findall(".//failure")


def test_a_finding_with_a_warning_is_skipped():
    root = ET.fromstring(build_junit(result(replace(finding(), warnings=("odd",)))))
    assert root.find(".//skipped").get("message") == "odd"


def test_characters_that_xml_does_not_allow():
    odd = replace(CROSS_DOMAIN, reason="a bell \x07, a null \x00, half a pair \ud800, an emoji \U0001f600")
    root = ET.fromstring(build_junit(result(finding(), not_run=(odd,))))
    assert root.find(".//skipped").get("message").startswith("a bell ?, a null ?, half a pair ?, an emoji \U0001f600")
    assert HOSTILE in ET.fromstring(build_junit(crowded())).find(".//skipped").text
