package dev.pinion.bootstrap.cli.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.topology.CapturedMachines;
import dev.pinion.bootstrap.topology.Machines;
import dev.pinion.bootstrap.topology.Topology;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Pictures of machines, as text and in SVG. */
class TopologyPictureTest {
  private static final String HYBRID_CORES = "0-1";

  @Test
  void shouldDrawMachineAsText() {
    String text = text(Machines.sosoaM1(), false);

    assertTrue(
        text.contains(
            """
            Package 0  CPUs 0-5
             ─ NUMA node 0, 8.0 GB  CPUs 0-5
                ─ L3 6 MB  CPUs 0-5
                   [ 0:r0c] [ 1:r0c] [ 2:r0c] [ 3:r0c] [ 4:r0c] [ 5:r0a]
            Package 1  CPUs 6-11
             ─ NUMA node 1, 8.0 GB  CPUs 6-11
                ─ L3 6 MB  CPUs 6-11
                   [ 6:r1c] [ 7:r1c] [ 8:r1c] [ 9:r1c] [10:r1a] [11:s  ]
            """),
        text);
    assertTrue(text.contains("c critical: event loops and spinning handlers, a ancillary"), text);
    assertTrue(text.contains("system  CPUs 11"), text);
    assertFalse(text.contains("\u001b"));
  }

  @Test
  void shouldColourReplicas() {
    String text = text(Machines.sosoaM1(), true);

    assertTrue(text.contains("\u001b[48;5;25;1;38;5;231m 0:r0c\u001b[0m"), text);
    assertTrue(text.contains("\u001b[48;5;25;38;5;250m 5:r0a\u001b[0m"), text);
    assertTrue(text.contains("\u001b[48;5;130;1;38;5;231m 6:r1c\u001b[0m"), text);
    assertTrue(text.contains("\u001b[2m11:s  \u001b[0m"), text);
  }

  @Test
  void shouldTellBigCoresFromLittleOnes() throws Exception {
    Topology hybrid =
        new Machines.Builder()
            .cpus(4, 4)
            .cache(3, "8M", 4)
            .memory(4)
            .file("sys/devices/cpu_core/cpus", HYBRID_CORES)
            .file("sys/devices/cpu_atom/cpus", "2-3")
            .probe();

    String text = text(hybrid, false);
    assertTrue(text.contains("[0:r0b] [1:r0b] (2:r0b) (3:s  )"), text);
    assertTrue(text.contains("Cores cpu_atom: CPUs 2-3"), text);
    assertEquals(2, withClass(svg(hybrid), "little").size());
    assertEquals(2, withClass(svg(hybrid), "core").size());
  }

  // Field fault 33: the meaning of a colour was covered by the next colour
  @Test
  void shouldGiveEachMeaningItsRoom() throws Exception {
    Document svg = svg(Machines.sosoaM1());
    List<Element> meanings =
        withClass(svg, "text").stream()
            .filter(
                text -> text.getAttribute("x").equals("44") && text.getAttribute("y").equals("20"))
            .toList();

    assertEquals(3, meanings.size(), "critical, ancillary, left to the system");
    for (int i = 1; i < meanings.size(); i++) {
      Element before = meanings.get(i - 1);
      boolean nextLine = top(meanings.get(i)) > top(before);
      int end = left(before) + 44 + 6 * before.getTextContent().length();
      assertTrue(nextLine || end < left(meanings.get(i)), before.getTextContent());
    }
  }

  // Field fault 33: powerful and less powerful cores looked alike
  @Test
  void shouldDrawLessPowerfulCoresRound() throws Exception {
    Topology hybrid =
        new Machines.Builder()
            .cpus(4, 4)
            .cache(3, "8M", 4)
            .memory(4)
            .file("sys/devices/cpu_core/cpus", HYBRID_CORES)
            .file("sys/devices/cpu_atom/cpus", "2-3")
            .probe();
    NodeList rects = svg(hybrid).getElementsByTagName("rect");

    List<String> corners = new ArrayList<>();
    for (int i = 0; i < rects.getLength(); i++) {
      Element rect = (Element) rects.item(i);
      if (rect.getAttribute("height").equals(Integer.toString(TopologyBox.CPU_HEIGHT))) {
        corners.add(rect.getAttribute("rx"));
      }
    }

    assertEquals(List.of("2", "2", "14", "14"), corners.subList(0, 4));
  }

  @Test
  void shouldSayEveryUseInWordsForThoseWhoSeeNoColours() throws Exception {
    Document svg = svg(Machines.sosoaM1());

    Element root = svg.getDocumentElement();
    assertEquals("img", root.getAttribute("role"));
    assertEquals("title description", root.getAttribute("aria-labelledby"));
    List<String> titles = texts(svg.getElementsByTagName("title"));
    assertEquals("Some <CPU> & more and its replicas", titles.getFirst());
    assertTrue(titles.contains("CPU 5: replica 0, ancillary: all other threads"));
    assertTrue(titles.contains("CPU 11: left to the system"));
    assertTrue(texts(svg.getElementsByTagName("desc")).getFirst().contains("2 replicas"));
  }

  static List<CapturedMachines.Machine> machines() throws IOException {
    return CapturedMachines.all();
  }

  @ParameterizedTest
  @MethodSource("machines")
  void shouldDrawEachCpuOfCapturedMachinesOnceAndInside(CapturedMachines.Machine machine)
      throws Exception {
    Topology topology = machine.probe();
    Document svg = svg(topology);

    TreeSet<Integer> drawn = new TreeSet<>();
    List<Element> cpus =
        withClass(svg, "cpu").stream().filter(cpu -> !cpu.getTextContent().equals("n")).toList();
    cpus.forEach(cpu -> drawn.add(Integer.valueOf(cpu.getTextContent())));
    assertEquals(topology.online().stream().boxed().toList(), List.copyOf(drawn));
    assertEquals(topology.online().size(), cpus.size());
    int width = Integer.parseInt(svg.getDocumentElement().getAttribute("width"));
    int height = Integer.parseInt(svg.getDocumentElement().getAttribute("height"));
    for (Element frame : framed(svg)) {
      assertTrue(left(frame) + number(frame, "width") <= width, machine.name());
      assertTrue(top(frame) + number(frame, "height") <= height, machine.name());
    }
    assertFalse(text(topology, false).isEmpty());
  }

  private static List<Element> framed(Document svg) {
    List<Element> frames = new ArrayList<>();
    for (String style : List.of("package", "node", "cache", "core", "little")) {
      frames.addAll(withClass(svg, style));
    }
    return frames;
  }

  private static int left(Element element) {
    return offset(element, 0);
  }

  private static int top(Element element) {
    return offset(element, 1);
  }

  /** Sum of the translations of all groups around an element. */
  private static int offset(Element element, int axis) {
    int sum = 0;
    for (Node node = element.getParentNode(); node instanceof Element group; ) {
      String transform = group.getAttribute("transform");
      if (!transform.isEmpty()) {
        String numbers = transform.substring("translate(".length(), transform.length() - 1);
        sum += Integer.parseInt(numbers.split(" ", -1)[axis]);
      }
      node = group.getParentNode();
    }
    return sum;
  }

  private static int number(Element element, String attribute) {
    return Integer.parseInt(element.getAttribute(attribute));
  }

  private static List<Element> withClass(Document svg, String style) {
    List<Element> found = new ArrayList<>();
    NodeList all = svg.getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      if (all.item(i) instanceof Element element && element.getAttribute("class").equals(style)) {
        found.add(element);
      }
    }
    return found;
  }

  private static List<String> texts(NodeList nodes) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  private static String text(Topology topology, boolean coloured) {
    return new TopologyText(topology, plan(topology), coloured).draw("Some CPU", List.of());
  }

  private static Document svg(Topology topology) throws Exception {
    String svg = new TopologySvg(topology, plan(topology), "Some <CPU> & more").draw();
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static PlacementPlan plan(Topology topology) {
    return PlacementPlanner.plan(topology, PlacementSettings.AUTO);
  }
}
