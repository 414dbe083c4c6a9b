package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class PackageBarChartTest {
  private final Profile before =
      new Stacks().cpu(9, "a.b.C.run", "x.y.Z.parse").cpu(1, "a.b.C.run").profile("be<fore");
  private final Profile after =
      new Stacks().cpu(2, "a.b.C.run", "x.y.Z.parse").cpu(2, "a.b.C.run").profile("after");

  @Test
  void shouldDrawPackagesByThemselvesAndWithWhatTheyCalled() throws Exception {
    String svg = PackageBarChart.of(List.of(before), 2);

    Element root = parsed(svg);
    assertEquals("svg", root.getTagName());
    assertFalse(svg.replace("http://www.w3.org/2000/svg", "").contains("http"), "loads nothing");
    assertFalse(svg.contains("<script"), "needs no script");
    assertTrue(svg.contains(">x.y<"), svg);
    assertTrue(svg.contains("x.y: 90.0 % by itself, 90.0 % with what it called"), svg);
    assertTrue(svg.contains("a.b: 10.0 % by itself, 100.0 % with what it called"), svg);
    assertTrue(svg.contains("be&lt;fore: 0.00 s of CPU time in 10 s"), svg);
    // background and legend, and two bars for each of two packages
    assertEquals(2 + 2 * 2, root.getElementsByTagName("rect").getLength());
  }

  @Test
  void shouldDrawTwoProfilesBesideEachOther() throws Exception {
    String svg = PackageBarChart.of(List.of(before, after), 2);

    assertTrue(
        svg.contains(
            "a.b: 10.0 % by itself, 100.0 % with what it called, then 50.0 % by itself, 100.0 %"
                + " with what it called"),
        svg);
    assertEquals(3 + 4 * 2, parsed(svg).getElementsByTagName("rect").getLength());
  }

  @Test
  void shouldDrawTheLargestPackagesOnly() throws Exception {
    assertEquals(PackageBarChart.MAX_BARS, bars(PackageBarChart.MAX_BARS));
    assertEquals(PackageBarChart.MAX_BARS, bars(PackageBarChart.MAX_BARS + 1));
  }

  // Field fault 33: rows of 0.0 %
  @Test
  void shouldDrawNoRowOfNothing() {
    Profile profile = new Stacks().cpu(99_999, "a.b.C.run").cpu(1, "x.y.Z.parse").profile("uneven");

    String svg = PackageBarChart.of(List.of(profile), 2);

    assertTrue(svg.contains(">a.b<"), svg);
    assertFalse(svg.contains("x.y"), svg);
    assertFalse(ProfileSummary.of(List.of(profile), 2).contains(" 0.0 %"));
  }

  @Test
  void shouldDrawAProfileOfNothing() throws Exception {
    assertEquals(
        2,
        parsed(PackageBarChart.of(List.of(new Stacks().profile("none")), 2))
            .getElementsByTagName("rect")
            .getLength());
  }

  private static int bars(int packages) throws Exception {
    Stacks stacks = new Stacks();
    for (int i = 0; i < packages; i++) {
      stacks.cpu(i + 1, "a.p" + i + ".C.run");
    }
    return parsed(PackageBarChart.of(List.of(stacks.profile("many")), 2))
        .getElementsByTagName("g")
        .getLength();
  }

  private static Element parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)))
        .getDocumentElement();
  }
}
