package dev.pinion.bootstrap.diagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.diagram.Section;
import dev.pinion.core.diagram.Shape.Symbol;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Structure of pictures, not their pixels. */
class SvgPictureTest {
  private static final String EVERYTHING =
      """
      do:
        - choose:
            if: .total > 0
            switch:
              - large: {when: .total > 100, then: race}
              - back: {when: .again, then: choose}
              - other: {then: end}
        - fix: {set: {total: 1}, then: choose}
        - race:
            fork:
              compete: true
              branches:
                - ann: {listen: {to: {one: {with: {type: approved}}}}}
                - bob: {wait: PT24H, then: end}
                - both: {fork: {branches: [{one: {run: {shell: {command: ls}}}}, {two: {do: []}}]}}
        - careful:
            try: [{risky: {call: http, with: {method: get, endpoint: 'http://a'}}}]
            catch: {errors: {with: {status: 402}}, do: [{tell: {emit: {event: {with: {type: t}}}}}], then: exit}
        - each: {for: {each: x, in: .list}, do: [{step: {set: {y: 1}, then: end}}]}
        - all: {call: 'parallelForEach:1.0.0@default', with: {in: .list, do: [{one: {set: {y: 1}}}]}}
        - fail: {raise: {error: known}}
      """;

  @Test
  void shouldDrawEachTaskUnderItsPointer() {
    Document svg = SvgPictures.parsed(SvgPictures.svg(EVERYTHING));

    List<String> ids = SvgPictures.ids(svg);
    assertEquals(ids.size(), new HashSet<>(ids).size(), ids::toString);
    for (String pointer :
        List.of(
            "/do#start",
            "/do/0/choose",
            "/do/1/fix",
            "/do/2/race",
            "/do/2/race/fork/branches/0/ann",
            "/do/2/race/fork/branches/1/bob",
            "/do/2/race/fork/branches/2/both/fork/branches/1/two",
            "/do/3/careful",
            "/do/3/careful/try/0/risky",
            "/do/3/careful/catch",
            "/do/3/careful/catch/do/0/tell",
            "/do/4/each/do/0/step",
            "/do/4/each/do#terminate",
            "/do/5/all/with/do/0/one",
            "/do/6/fail",
            "/do#end")) {
      assertTrue(ids.contains(pointer), pointer);
    }
    assertEquals("test/drawn 1.0.0", SvgPictures.texts(svg).getFirst());
  }

  @Test
  void shouldDrawEachKindInItsForm() {
    Document svg = SvgPictures.parsed(SvgPictures.svg(EVERYTHING));

    assertEquals(1, SvgPictures.count(svg, "rect", "handler"));
    assertEquals(5, SvgPictures.count(svg, "rect", "step"), "fix, one, risky, step, one");
    assertEquals(3, SvgPictures.count(svg, "rect", "solid"), "bars; that of a race is hollow");
    assertEquals(1, SvgPictures.count(svg, "circle", "error"));
    assertEquals(2, SvgPictures.count(svg, "path", "caught"), "error inside, jump outside");
    List<String> texts = SvgPictures.texts(svg);
    for (String text :
        List.of(
            "if .total > 0",
            "large: .total > 100",
            "other",
            "the first wins",
            "PT24H",
            "one approved",
            "shell ls",
            "get http://a",
            "status 402",
            "caught",
            "each x in .list")) {
      assertTrue(texts.contains(text), text);
    }
  }

  @Test
  void shouldDrawTheSameTwice() {
    String first = SvgPictures.svg(EVERYTHING);
    assertEquals(first, SvgPictures.svg(EVERYTHING));
  }

  @Test
  void shouldKeepShapesApart() {
    Document svg = SvgPictures.parsed(SvgPictures.svg(EVERYTHING));
    List<Element> steps =
        SvgPictures.elements(svg, "rect").stream()
            .filter(rect -> rect.getAttribute("class").equals("step"))
            .toList();
    Element ground = SvgPictures.elements(svg, "rect").getFirst();
    for (Element one : steps) {
      assertTrue(right(one) < right(ground) && bottom(one) < bottom(ground), "within the picture");
      for (Element other : steps) {
        boolean apart =
            right(one) < number(other, "x")
                || right(other) < number(one, "x")
                || bottom(one) < number(other, "y")
                || bottom(other) < number(one, "y");
        assertTrue(one == other || apart, "shapes overlap");
      }
    }
  }

  private static double number(Element element, String name) {
    return Double.parseDouble(element.getAttribute(name));
  }

  private static double right(Element rect) {
    return number(rect, "x") + number(rect, "width");
  }

  private static double bottom(Element rect) {
    return number(rect, "y") + number(rect, "height");
  }

  @Test
  void shouldLeaveNothingOfHostileNamesToReaders() {
    String name =
        "</text><script>alert(1)</script>\\\" onload='x' &#60; &lt; ]]>\\u0000\\uFFFE\\u202E";
    String svg =
        SvgPictures.svg(
            "do:\n  - \""
                + name
                + "\": {set: {'<b>&': 1}}\n  - b: {switch: [{\""
                + name
                + "\": {when: '</style>', then: b}}]}\n");

    Document parsed = SvgPictures.parsed(svg);
    assertEquals(0, SvgPictures.elements(parsed, "script").size());
    assertEquals(0, SvgPictures.elements(parsed, "b").size());
    for (Element element : SvgPictures.elements(parsed, "*")) {
      assertFalse(element.hasAttribute("onload"));
    }
    assertFalse(svg.contains("<!") || svg.contains("\u202E"), svg);
    for (String id : SvgPictures.ids(parsed)) {
      assertTrue(id.matches("[!-~]+"), id);
    }
    assertTrue(SvgPictures.texts(parsed).contains("<b>&"));
  }

  @Test
  void shouldEncodePointersAsFragments() {
    assertEquals("/do/0/a%20b%C3%BC%22%3C~1", PointerFragment.of("/do/0/a bü\"<~1"));
    assertEquals("/do#start", PointerFragment.of("/do#start"));
  }

  @Test
  void shouldDrawWhatHasNoTasks() {
    for (String tasks : List.of("do: []\n", "", "do: [{a: {switch: []}}]\n", "do: [{a: {}}]\n")) {
      Document svg = SvgPictures.parsed(SvgPictures.svg(tasks));
      assertTrue(SvgPictures.ids(svg).contains("/do#start"), tasks);
    }
    Document fork = SvgPictures.parsed(SvgPictures.svg("do: [{a: {fork: {branches: []}}}]\n"));
    assertEquals(2, SvgPictures.count(fork, "rect", "solid"));
  }

  /** Sections beyond the bound of layers get a column: no time grows faster than the definition. */
  @Test
  @Timeout(120)
  void shouldDrawAsManyTasksAsADefinitionMayHave() {
    String tasks =
        IntStream.range(0, 10_000)
            .mapToObj(
                i ->
                    i % 5 == 0
                        ? "  - t%d: {switch: [{x: {when: .a, then: t%d}}, {y: {when: .b, then: t%d}}]}\n"
                            .formatted(i, Math.max(0, i - 7), Math.min(9_999, i + 3))
                        : "  - t%d: {set: {x: 1}}\n".formatted(i))
            .collect(Collectors.joining("", "do:\n", ""));

    String svg = SvgPictures.svg(tasks);

    assertEquals(10_000 + 2, svg.split("<g id=", -1).length - 1);
    assertTrue(svg.length() < 10 << 20, () -> "characters: " + svg.length());
  }

  /** Layers of few figures with very many lines would take hours. */
  @Test
  @Timeout(120)
  void shouldDrawASwitchOfManyCases() {
    String cases =
        IntStream.range(0, 20_000)
            .mapToObj(i -> "{c" + i + ": {when: .a, then: b}}")
            .collect(Collectors.joining(", ", "do: [{a: {switch: [", "]}}, {b: {do: []}}]\n"));

    String svg = SvgPictures.svg(cases);

    assertTrue(svg.contains("c19999: .a"));
  }

  @Test
  @Timeout(120)
  void shouldDrawManyTasksInASequenceAndManyBranches() {
    String sequence =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "  - t" + i + ": {set: {x: 1}}\n")
            .collect(Collectors.joining("", "do:\n", ""));
    String branches =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "{b" + i + ": {set: {x: 1}}}")
            .collect(Collectors.joining(", ", "do: [{a: {fork: {branches: [", "]}}}]\n"));

    assertEquals(10_002, SvgPictures.svg(sequence).split("<g id=", -1).length - 1);
    assertEquals(1_003, SvgPictures.svg(branches).split("<g id=", -1).length - 1);
  }

  @Test
  @Timeout(120)
  void shouldDrawWhatIsNestedDeeply() {
    int depth = 300;
    String loops =
        "{a: {for: {in: .x}, do: [".repeat(depth) + "{z: {set: {x: 1}}}" + "]}}".repeat(depth);
    String forks =
        "{a: {fork: {branches: [".repeat(depth) + "{z: {set: {x: 1}}}" + "]}}}".repeat(depth);

    assertTrue(SvgPictures.svg("do: [" + loops + "]\n").contains("/z\""));
    assertTrue(SvgPictures.svg("do: [" + forks + "]\n").contains("/z\""));
  }

  @Test
  void shouldPlaceEqualSectionsAlikeInLayersAndLanes() {
    String tasks =
        """
        do:
          - a: {switch: [{x: {when: .x, then: c}}, {y: {when: .y, then: a}}]}
          - b: {set: {x: 1}, then: end}
          - c: {set: {x: 1}, then: b}
        """;
    List<DiagramFigure> figures = new ArrayList<>();
    Section section = SvgPictures.diagram(tasks).body();
    section.shapes().forEach(shape -> figures.add(StepFigure.of(shape.caption(), Symbol.TASK)));
    DiagramFigure lanes = new LanesFigure(figures, section.flows());
    DiagramFigure layers = new LayeredFigure(figures, section.flows());
    for (DiagramFigure figure : List.of(lanes, layers)) {
      SvgPage page = new SvgPage();
      figure.draw(page, 0, 0);
      Document svg = SvgPictures.parsed("<svg>" + page + "</svg>");
      assertEquals(figures.size(), SvgPictures.ids(svg).size());
      assertEquals(section.flows().size(), SvgPictures.count(svg, "path", "flow"));
      assertEquals(section.flows().size(), SvgPictures.count(svg, "path", "tip"));
      for (Element rect : SvgPictures.elements(svg, "rect")) {
        assertTrue(number(rect, "x") >= 0 && right(rect) <= figure.width() + 0.1);
        assertTrue(number(rect, "y") >= 0 && bottom(rect) <= figure.height() + 0.1);
      }
    }
  }
}
