package dev.pinion.benchmarks.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.chart.LineChart.Point;
import dev.pinion.benchmarks.chart.LineChart.Series;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class FigureTest {
  @ParameterizedTest
  @CsvSource({
    "0, 1, false, 0, 1",
    "0, 0, false, 0, 1",
    "12, 3400, false, 0, 4000",
    "-3, 7, false, -4, 8",
    "1, 64, true, 1, 100",
    "0.3, 0.4, true, 0.2, 0.5",
    "3, 90000, true, 1, 100000",
  })
  void shouldHaveRoundEnds(double least, double most, boolean log, double from, double to) {
    AxisScale axisScale = AxisScale.of(new double[] {least, most}, log);

    assertEquals(from, axisScale.from(), 1e-9);
    assertEquals(to, axisScale.to(), 1e-9);
    assertEquals(0, axisScale.position(axisScale.from()), 1e-9);
    assertEquals(1, axisScale.position(axisScale.to()), 1e-9);
    assertTrue(
        axisScale.ticks().size() >= 2 && axisScale.ticks().size() <= 12,
        axisScale.ticks()::toString);
    assertTrue(axisScale.position(least) >= -1e-9 && axisScale.position(most) <= 1 + 1e-9);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1234.5, '1,235'", "12.34, 12.3", "2, 2", "0.0312, 0.0312", "0.5, 0.5"})
  void shouldWriteNumbersForPeople(double value, String text) {
    assertEquals(text, TickLabels.text(value));
  }

  @Test
  void shouldDrawEveryPointWithinThePlotAndSayIt() throws Exception {
    // given
    LineChart chart =
        new LineChart(
            "Throughput & <more>",
            Axis.logarithmic("clients", ""),
            Axis.linear("throughput", "1/s"),
            List.of(
                series("one", new Interval(90, 100, 120), new Interval(180, 200, 210)),
                series("two", Interval.exact(110), new Interval(100, 150, 400))));

    // when
    Document svg = parse(chart.svg());

    // then
    Element root = svg.getDocumentElement();
    assertEquals("img", root.getAttribute("role"));
    assertEquals("Throughput & <more>", text(root, "title").getFirst());
    assertTrue(text(root, "desc").getFirst().contains("two, clients 10: 150 1/s (100 to 400)"));
    List<String> texts = text(root, "text");
    assertTrue(
        texts.containsAll(List.of("clients", "throughput [1/s]", "one", "two")), texts::toString);
    String[] box = root.getAttribute("viewBox").split(" ", -1);
    for (Element line : elements(root, "line")) {
      for (String side : List.of("x1", "x2")) {
        double x = Double.parseDouble(line.getAttribute(side));
        assertTrue(x >= 0 && x <= Double.parseDouble(box[2]), "x " + x);
      }
      double y = Double.parseDouble(line.getAttribute("y1"));
      assertTrue(y >= 0 && y <= Double.parseDouble(box[3]), "y " + y);
    }
    // spread bars: three points have one
    assertEquals(
        3,
        elements(root, "line").stream()
            .filter(line -> line.getAttribute("class").startsWith("spread"))
            .count());
  }

  // Field fault 33: a single place has no line
  @Test
  void shouldDrawASinglePlaceSideBySide() throws Exception {
    List<Series> series =
        List.of(
            new Series("sync", List.of(new Point(64, new Interval(1, 2, 3)))),
            new Series("async", List.of(new Point(64, new Interval(4, 5, 6)))));

    Element root =
        parse(
                new LineChart("t", Axis.linear("clients", ""), Axis.linear("time", "ms"), series)
                    .svg())
            .getDocumentElement();

    assertEquals(0, elements(root, "polyline").size());
    assertTrue(text(root, "text").containsAll(List.of("sync", "async", "time [ms]")));
  }

  // Field fault 33: ticks are the measured points
  @Test
  void shouldNameThePlacesThatWereMeasured() throws Exception {
    List<Point> points = new ArrayList<>();
    for (int threads : List.of(1, 2, 3, 6, 12)) {
      points.add(new Point(threads, Interval.exact(threads)));
    }

    Element root =
        parse(
                new LineChart(
                        "t",
                        Axis.linear("threads", ""),
                        Axis.linear("y", ""),
                        List.of(new Series("one", points)))
                    .svg())
            .getDocumentElement();

    List<String> ticks =
        elements(root, "text").stream()
            .filter(each -> each.getAttribute("text-anchor").equals("middle"))
            .map(Element::getTextContent)
            .toList();
    assertTrue(ticks.containsAll(List.of("1", "2", "3", "6", "12")), ticks::toString);
    assertFalse(ticks.contains("4"), ticks::toString);
  }

  @Test
  void shouldShowRowsSideBySide() throws Exception {
    DotPlot plot =
        new DotPlot(
            "gain",
            Axis.linear("ratio", ""),
            List.of(
                new DotPlot.PlotRow("a", "a", new Interval(0.9, 1, 1.1)),
                new DotPlot.PlotRow("b".repeat(60), "b", Interval.exact(2))));

    Element root = parse(plot.svg()).getDocumentElement();

    assertTrue(text(root, "desc").getFirst().startsWith("a: 1  (0.9 to 1.1); bbb"));
    assertTrue(text(root, "text").contains("b".repeat(33) + "…"));
    assertEquals(1, elements(root, "circle").size());
  }

  @Test
  void shouldTellSeriesApartWithoutColour() {
    Set<String> looks = new HashSet<>();
    IntStream.range(0, 6)
        .forEach(
            i -> {
              String mark = Palette.mark(i, 0, 0).replaceAll("class=\"c\\d\"", "");
              looks.add(mark + Palette.dash(i));
            });
    assertEquals(6, looks.size());
  }

  @Test
  void shouldHaveColoursForLightAndDark() {
    String css = Palette.css();

    assertTrue(css.contains("prefers-color-scheme:dark"));
    assertEquals(2, css.split("--c0:", -1).length - 1);
    assertEquals(2, css.split("--ink:", -1).length - 1);
    assertFalse(css.contains("url("));
  }

  @Test
  void shouldRefuseIntervalsOutOfOrder() {
    assertThrows(IllegalArgumentException.class, () -> new Interval(2, 1, 3));
    assertThrows(IllegalArgumentException.class, () -> new Interval(1, 4, 3));
    assertThrows(IllegalArgumentException.class, () -> Interval.exact(Double.NaN));
  }

  private static Series series(String name, Interval first, Interval second) {
    return new Series(name, List.of(new Point(1, first), new Point(10, second)));
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static List<String> text(Element root, String name) {
    return elements(root, name).stream().map(Element::getTextContent).toList();
  }

  private static List<Element> elements(Element root, String name) {
    NodeList nodes = root.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }
}
