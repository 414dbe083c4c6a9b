package dev.pinion.core.diagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Diagrams in Mermaid and as JSON. */
class DrawingTextsTest {
  private static final String TASKS =
      """
      do:
        - choose:
            switch:
              - big: {when: .n > 1, then: both}
              - small: {then: exit}
        - both:
            fork:
              compete: true
              branches:
                - one: {wait: PT1S}
                - two: {call: http, with: {method: get, endpoint: http://a}, then: end}
        - careful:
            try: [{risky: {raise: {error: e}}}]
            catch: {do: [{tell: {set: {x: 1}}}]}
        - each: {for: {in: .list}, do: [{say "hi": {set: {y: 1}}}]}
      """;

  private static final String UNDONE =
      """
      do:
        - book: {set: {x: 1}, metadata: {pinion: {compensate: [{undo: {wait: PT1S}}]}}}
      """;

  @Test
  void shouldDrawInMermaid() {
    assertEquals(
        """
        ---
        title: "test/drawn 1.0.0"
        ---
        flowchart TD
          t_2f_do_23_start(["start"])
          t_2f_do_2f_0_2f_choose{"switch choose"}
          subgraph t_2f_do_2f_1_2f_both["fork both"]
            t_2f_do_2f_1_2f_both_split["race"]:::bar
            t_2f_do_2f_1_2f_both_join["first"]:::bar
            t_2f_do_2f_1_2f_both_2f_fork_2f_branches_2f_0_2f_one(["wait one<br/>PT1S"]):::event
            t_2f_do_2f_1_2f_both_split --> t_2f_do_2f_1_2f_both_2f_fork_2f_branches_2f_0_2f_one
            t_2f_do_2f_1_2f_both_2f_fork_2f_branches_2f_0_2f_one --> t_2f_do_2f_1_2f_both_join
            t_2f_do_2f_1_2f_both_2f_fork_2f_branches_2f_1_2f_two["call http two<br/>get http#58;#47;#47;a"]
            t_2f_do_2f_1_2f_both_split --> t_2f_do_2f_1_2f_both_2f_fork_2f_branches_2f_1_2f_two
            t_2f_do_2f_1_2f_both_2f_fork_2f_branches_2f_1_2f_two_terminate(("end")):::end_
            t_2f_do_2f_1_2f_both_2f_fork_2f_branches_2f_1_2f_two --> t_2f_do_2f_1_2f_both_2f_fork_2f_branches_2f_1_2f_two_terminate
          end
          subgraph t_2f_do_2f_2_2f_careful["try careful"]
            subgraph t_2f_do_2f_2_2f_careful_body[" "]
              t_2f_do_2f_2_2f_careful_2f_try_23_start((" "))
              t_2f_do_2f_2_2f_careful_2f_try_2f_0_2f_risky(["raise risky<br/>e"]):::error
              t_2f_do_2f_2_2f_careful_2f_try_23_start --> t_2f_do_2f_2_2f_careful_2f_try_2f_0_2f_risky
            end
            subgraph t_2f_do_2f_2_2f_careful_2f_catch["catch error"]
              t_2f_do_2f_2_2f_careful_2f_catch_2f_do_23_start((" "))
              t_2f_do_2f_2_2f_careful_2f_catch_2f_do_2f_0_2f_tell["set tell<br/>x"]
              t_2f_do_2f_2_2f_careful_2f_catch_2f_do_23_end(((" ")))
              t_2f_do_2f_2_2f_careful_2f_catch_2f_do_23_start --> t_2f_do_2f_2_2f_careful_2f_catch_2f_do_2f_0_2f_tell
              t_2f_do_2f_2_2f_careful_2f_catch_2f_do_2f_0_2f_tell --> t_2f_do_2f_2_2f_careful_2f_catch_2f_do_23_end
            end
            t_2f_do_2f_2_2f_careful_body -.->|"error"| t_2f_do_2f_2_2f_careful_2f_catch
          end
          subgraph t_2f_do_2f_3_2f_each["for each<br/>each item in .list"]
            t_2f_do_2f_3_2f_each_2f_do_23_start((" "))
            t_2f_do_2f_3_2f_each_2f_do_2f_0_2f_say_20__22_hi_22_["set say #34;hi#34;<br/>y"]
            t_2f_do_2f_3_2f_each_2f_do_23_end(((" ")))
            t_2f_do_2f_3_2f_each_2f_do_23_start --> t_2f_do_2f_3_2f_each_2f_do_2f_0_2f_say_20__22_hi_22_
            t_2f_do_2f_3_2f_each_2f_do_2f_0_2f_say_20__22_hi_22_ --> t_2f_do_2f_3_2f_each_2f_do_23_end
          end
          t_2f_do_23_end(["end"]):::end_
          t_2f_do_23_start --> t_2f_do_2f_0_2f_choose
          t_2f_do_2f_0_2f_choose -->|"big#58; .n #62; 1"| t_2f_do_2f_1_2f_both
          t_2f_do_2f_0_2f_choose -->|"small"| t_2f_do_23_end
          t_2f_do_2f_1_2f_both --> t_2f_do_2f_2_2f_careful
          t_2f_do_2f_2_2f_careful --> t_2f_do_2f_3_2f_each
          t_2f_do_2f_3_2f_each --> t_2f_do_23_end
          classDef bar fill:#57606a,stroke:#57606a,color:#ffffff
          classDef end_ fill:#24292f,stroke:#24292f,color:#ffffff
          classDef error fill:#ffebe9,stroke:#cf222e,color:#82071e
          classDef event fill:#fff8c5,stroke:#9a6700,color:#4d2d00
        """,
        MermaidText.of(Diagrams.of(TASKS)));
  }

  @Test
  void shouldDrawCompensationsInMermaid() {
    String list = "t_2f_do_2f_0_2f_book_2f_metadata_2f_pinion_2f_compensate";
    assertEquals(
        """
          t_2f_do_23_start(["start"])
          t_2f_do_2f_0_2f_book["set book<br/>x"]
          subgraph LIST["compensate book"]
            LIST_23_start((" "))
            LIST_2f_0_2f_undo(["wait undo<br/>PT1S"]):::event
            LIST_23_end(((" ")))
            LIST_23_start --> LIST_2f_0_2f_undo
            LIST_2f_0_2f_undo --> LIST_23_end
          end
          t_2f_do_2f_0_2f_book -.-> LIST
          t_2f_do_23_end(["end"]):::end_
          t_2f_do_23_start --> t_2f_do_2f_0_2f_book
          t_2f_do_2f_0_2f_book --> t_2f_do_23_end
        """
            .replace("LIST", list),
        MermaidText.of(Diagrams.of(UNDONE))
            .lines()
            .filter(line -> line.startsWith("  ") && !line.contains("classDef"))
            .map(line -> line + "\n")
            .collect(Collectors.joining()));
  }

  @Test
  void shouldTellCompensations() {
    JsonNode json = DiagramJson.of(Diagrams.of(UNDONE)).json();
    assertEquals(
        List.of("start", "task", "compensation", "entry", "timer", "exit", "end"),
        json.get("nodes").findValuesAsText("shape"));
    assertEquals(
        "{\"from\":\"/do/0/book\",\"to\":\"/do/0/book/metadata/pinion/compensate\","
            + "\"kind\":\"compensation\"}",
        edge(json, "/do/0/book").toString());
    assertEquals(
        "{\"id\":\"/do/0/book/metadata/pinion/compensate/0/undo\",\"shape\":\"timer\","
            + "\"kind\":\"wait\",\"name\":\"undo\",\"details\":[\"PT1S\"],"
            + "\"parent\":\"/do/0/book/metadata/pinion/compensate\"}",
        json.get("nodes").get(4).toString());
  }

  @Test
  void shouldLeaveNothingOfAHostileNameToMermaid() {
    String name = "\"]; click x javascript:alert(1) %%{init: {}}%% <script>\\n end `${x}` ]]";
    String text = MermaidText.of(Diagrams.of("do:\n  - '" + name + "': {set: {'<b>': 1}}\n"));
    for (String line : text.lines().filter(each -> each.contains("alert")).toList()) {
      String outside = line.replaceAll("\"[^\"]*\"", "");
      assertTrue(outside.matches("[A-Za-z0-9_ >\\[\\]-]*"), line);
      String label = line.replaceAll("^[^\"]*\"?|\"[^\"]*$", "").replace("<br/>", "");
      assertTrue(label.matches("(?:[A-Za-z0-9 ._-]|#[0-9]+;)*"), line);
    }
    assertFalse(text.contains("%%"), text);
  }

  @Test
  void shouldTellNodesAndEdges() {
    JsonNode json = DiagramJson.of(Diagrams.of(TASKS)).json();
    Set<String> ids = new HashSet<>();
    json.get("nodes").forEach(node -> assertTrue(ids.add(node.get("id").asText()), node::toString));
    json.get("nodes")
        .forEach(
            node ->
                assertTrue(
                    !node.has("parent") || ids.contains(node.get("parent").asText()),
                    node::toString));
    json.get("edges")
        .forEach(
            edge ->
                assertTrue(
                    ids.contains(edge.get("from").asText())
                        && ids.contains(edge.get("to").asText()),
                    edge::toString));
    assertEquals("test/drawn 1.0.0", json.get("title").asText());
    assertEquals(
        List.of("start", "gateway", "race", "timer", "call", "try", "entry", "error", "catch"),
        json.get("nodes").findValuesAsText("shape").subList(0, 9));
    assertEquals(
        "{\"from\":\"/do/0/choose\",\"to\":\"/do/1/both\",\"kind\":\"case\",\"label\":\"big: .n > 1\"}",
        edge(json, "/do/0/choose").toString());
    assertEquals(
        "{\"id\":\"/do/3/each/do/0/say \\\"hi\\\"\",\"shape\":\"task\",\"kind\":\"set\","
            + "\"name\":\"say \\\"hi\\\"\",\"details\":[\"y\"],\"parent\":\"/do/3/each\"}",
        json.get("nodes").get(json.get("nodes").size() - 3).toString());
  }

  private static JsonNode edge(JsonNode json, String from) {
    for (JsonNode edge : json.get("edges")) {
      if (edge.get("from").asText().equals(from)) {
        return edge;
      }
    }
    throw new AssertionError("no edge from " + from);
  }

  @Test
  void shouldDrawTheSameTwice() {
    assertEquals(MermaidText.of(Diagrams.of(TASKS)), MermaidText.of(Diagrams.of(TASKS)));
    assertEquals(DiagramJson.of(Diagrams.of(TASKS)), DiagramJson.of(Diagrams.of(TASKS)));
  }
}
