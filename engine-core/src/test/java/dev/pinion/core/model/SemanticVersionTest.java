package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SemanticVersionTest {
  @ParameterizedTest
  @ValueSource(strings = {"0.0.0", "1.2.3-a.1+b.2", "1.0.0--", "1.0.0-0a", "1.0.0+001"})
  void shouldAcceptVersions(String text) {
    assertNotNull(SemanticVersion.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.0",
        "01.0.0",
        "1.0.0-",
        "1.0.0-01",
        "1.0.0+",
        "v1.0.0",
        "1.0.0-ä",
        "../1"
      })
  void shouldRefuseOtherText(String text) {
    assertNull(SemanticVersion.parse(text));
  }

  @Test
  void shouldHoldLengthToItsLimit() {
    String longest = "1.0." + "9".repeat(SemanticVersion.MAX_LENGTH - 4);

    assertNotNull(SemanticVersion.parse(longest));
    assertNull(SemanticVersion.parse(longest + "9"));
  }

  @Test
  void shouldOrderByPrecedence() {
    // given: the example of section 11, and numbers beyond any machine word
    List<String> ascending =
        List.of(
            "0.9.0",
            "1.0.0-1",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.0+build",
            "1.0.1",
            "1.2.0",
            "1.10.0",
            "2.0.0",
            "99999999999999999999.0.0",
            "100000000000000000000.0.0");
    List<SemanticVersion> versions = new ArrayList<>();
    ascending.forEach(text -> versions.add(Objects.requireNonNull(SemanticVersion.parse(text))));

    // when
    Collections.shuffle(versions, new Random(7));
    Collections.sort(versions);

    // then
    assertEquals(ascending, versions.stream().map(SemanticVersion::text).toList());
  }
}
