package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfilePageTest {
  private final Profile before =
      new Stacks()
          .of("d/busy/1.0.0", "/do/0/</script><b>", "gold")
          .cpu(9, "a.b.C.run", "x.y.Z.parse")
          .in(ProfiledProcess.BROKER)
          .cpu(1, "a.b.C.run")
          .profile("before");
  private final Profile after =
      new Stacks().cpu(2, "a.b.C.run", "x.y.Z.parse").cpu(2, "a.b.C.run").profile("after");

  @Test
  void shouldNeedNothingElseAndLetNoNameOutOfItsData() throws IOException {
    String page = ProfilePage.of(List.of(before), 2, 8);

    assertFalse(page.contains("</script><b>"), "a name ends the script");
    assertFalse(page.matches("(?s).*(src|href)\\s*=.*"), "refers to another file");
    assertFalse(page.replace("http://www.w3.org/2000/svg", "").contains("://"), "has an address");
    assertTrue(page.contains("default-src 'none'"));
    JsonNode data = data(page);
    assertEquals(
        "d/busy/1.0.0 /do/0/</script><b>", data.at("/kinds/0/scopes/0/tasks/0/0").asText());
  }

  @Test
  void shouldShowAllProcessesTogetherAndApart() {
    JsonNode scopes = new ProfilePageContent(List.of(before), 2, 8).json().at("/kinds/0/scopes");

    assertEquals("all processes", scopes.at("/0/label").asText());
    assertEquals("replica 0", scopes.at("/1/label").asText());
    assertEquals("broker", scopes.at("/2/label").asText());
    assertEquals(10, scopes.at("/0/totals/0").asInt());
    assertEquals(9, scopes.at("/1/totals/0").asInt());
  }

  @Test
  void shouldHaveAChartForEachGroupOfThreadsAtEachLevel() {
    JsonNode level =
        new ProfilePageContent(List.of(before), 2, 3).json().at("/kinds/0/scopes/0/levels/2");

    assertEquals("fused", level.at("/folded/charts/0/group").asText());
    assertEquals("[1.0,0.0,0.0]", level.at("/folded/charts/0/weights/a.b").toString());
    assertEquals("[0.0,0.9,0.0]", level.at("/folded/charts/0/weights/x.y").toString());
    assertEquals("[\"x.y\",[0.9],[0.9]]", level.at("/folded/packages/0").toString());
  }

  @Test
  void shouldPutTwoProfilesSideBySide() {
    JsonNode all =
        new ProfilePageContent(List.of(before, after), 2, 8).json().at("/kinds/0/scopes/0");

    assertEquals("[10,4]", all.at("/totals").toString());
    assertEquals(
        "[[\"x.y.Z.parse\",[0.9,0.5],[0.9,0.5]],[\"a.b.C.run\",[0.1,0.5],[1.0,1.0]]]",
        all.at("/methods").toString());
    assertEquals(
        "[\"all\",[1.0,1.0],[[\"fused\",[1.0,1.0],[[\"a.b.C.run\",[1.0,1.0],"
            + "[[\"x.y.Z.parse\",[0.9,0.5],[]]]]]]]]",
        all.at("/tree").toString());
  }

  @Test
  void shouldSummariseInTextWithTheChange() {
    String alone = ProfileSummary.of(List.of(before), 2);
    String both = ProfileSummary.of(List.of(before, after), 2);

    assertTrue(alone.contains("  90.0 %  x.y\n"), alone);
    assertTrue(alone.contains("  90.0 %  x.y.Z.parse\n"), alone);
    assertTrue(alone.contains("by process\n  90.0 %  replica 0\n  10.0 %  broker\n"), alone);
    assertTrue(alone.contains("by service class\n 100.0 %  gold\n"), alone);
    assertTrue(both.contains("  90.0 %  50.0 %   -40.0  x.y.Z.parse\n"), both);
    assertTrue(both.contains("  10.0 %  50.0 %   +40.0  a.b\n"), both);
  }

  private static JsonNode data(String page) throws IOException {
    int from = page.indexOf("const DATA = ") + "const DATA = ".length();
    return new ObjectMapper().readTree(page.substring(from, page.indexOf(";\n", from)));
  }

  @Test
  void shouldListTheLargestUpToTheLinesOfATableAndTheChartsOfALevel() {
    assertEquals(ProfilePageContent.MAX_LINES, lines(ProfilePageContent.MAX_LINES));
    assertEquals(ProfilePageContent.MAX_LINES, lines(ProfilePageContent.MAX_LINES + 1));
    assertEquals(ProfilePageContent.MAX_CHARTS, charts(ProfilePageContent.MAX_CHARTS));
    assertEquals(ProfilePageContent.MAX_CHARTS, charts(ProfilePageContent.MAX_CHARTS + 1));
    assertEquals(ProfilePageContent.MAX_CHARTS - 1, charts(ProfilePageContent.MAX_CHARTS - 1));
    assertEquals(ProfilePageContent.MAX_LINES - 1, lines(ProfilePageContent.MAX_LINES - 1));
  }

  private static int lines(int methods) {
    Stacks stacks = new Stacks();
    for (int i = 0; i < methods; i++) {
      stacks.cpu(i + 1, "a.b.C.method" + i);
    }
    return page(stacks).at("/methods").size();
  }

  private static int charts(int groups) {
    Stacks stacks = new Stacks();
    for (int i = 0; i < groups; i++) {
      stacks.on("group" + i, PipelineStage.KERNEL).cpu(i + 1, "a.b.C.run");
    }
    return page(stacks).at("/levels/2/folded/charts").size();
  }

  private static JsonNode page(Stacks stacks) {
    return new ProfilePageContent(List.of(stacks.profile("many")), 2, 4)
        .json()
        .at("/kinds/0/scopes/0");
  }
}
