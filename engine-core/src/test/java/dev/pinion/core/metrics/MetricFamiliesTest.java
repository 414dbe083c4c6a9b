package dev.pinion.core.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricFamiliesTest {
  private final MetricFamilies families = new MetricFamilies();

  @Test
  void shouldGroupByNameAndSortLabels() {
    families.gauge("b", "Some b.", 2.5);
    families.counter("a_total", "Some a.", 1, "y", "q\"\\\n", "x", "1");
    families.counter("a_total", "Some a.", 3, Map.of("x", "2", "y", ""));
    families.info("c_info", "Some c.", "version", "7");

    assertEquals(
        """
        # HELP a_total Some a.
        # TYPE a_total counter
        a_total{x="1",y="q\\"\\\\\\n"} 1.0
        a_total{x="2",y=""} 3.0
        # HELP b Some b.
        # TYPE b gauge
        b 2.5
        # HELP c_info Some c.
        # TYPE c_info gauge
        c_info{version="7"} 1
        """,
        families.text());
    assertEquals(4, families.size());
    assertEquals("", new MetricFamilies().text());
  }

  @Test
  void shouldAddHistogramsUp() {
    Buckets buckets = new Buckets(1e3, 1, 10, 100);
    Histogram first = new Histogram(buckets);
    Histogram second = new Histogram(buckets);
    first.record(1);
    first.record(-5);
    second.record(11);
    second.record(1_000);

    families.histogram("t_seconds", "Times.", List.of(first, second));

    assertEquals(
        """
        # HELP t_seconds Times.
        # TYPE t_seconds histogram
        t_seconds_bucket{le="0.001"} 2
        t_seconds_bucket{le="0.01"} 2
        t_seconds_bucket{le="0.1"} 3
        t_seconds_bucket{le="+Inf"} 4
        t_seconds_count 4
        t_seconds_sum 1.012
        """,
        families.text());
    assertEquals(2, first.count());
    assertEquals(1_011, second.sum());
  }

  @Test
  void shouldKeepTheFirstTypeAndTheLastValue() {
    families.gauge("a", "A.", 1);
    families.gauge("a", "A.", 2);
    families.counter("a_total", "Another.", 3);

    assertEquals("# HELP a A.\n# TYPE a gauge\na 2.0\n", families.text());
    assertEquals(1, families.size());
  }

  @Test
  void shouldRefuseWrongNamesAndBuckets() {
    assertThrows(IllegalArgumentException.class, () -> families.counter("a", "A.", 1));
    assertThrows(IllegalArgumentException.class, () -> new Buckets(1, 2, 2));
  }

  /** Third parties choose names of metrics; none may break the page. */
  @Test
  void shouldTakeNamesThatTheLibraryReserves() {
    for (String suffix : List.of("created", "bucket", "info", "count", "sum")) {
      families.gauge("a_" + suffix, "A.", 1, "le", "2");
      families.counter("b_" + suffix + "_total", "B.", 1, "quantile", "2");
    }
    new ProcessCollector().addMetrics(families);
    families.gauge("process_open_fds", "Mine.", 1);

    String text = families.text();

    assertTrue(text.contains("\na_info{le=\"2\"} 1.0\n"), text);
    assertTrue(text.contains("# HELP process_open_fds Mine.\n"), text);
    assertFalse(text.contains("# HELP process_open_fds Number"), text);
  }

  @Test
  void shouldNameTheFirstValuesOfALabel() {
    LabelSlots slots = new LabelSlots(2);

    assertEquals(1, slots.slot("a"));
    assertEquals(2, slots.slot("b"));
    assertEquals(0, slots.slot("c"));
    assertEquals(1, slots.slot("a"));
    assertEquals(0, slots.slot(LabelSlots.OTHER), "a value of users may be named like the rest");
    assertEquals(List.of("other", "a", "b"), slots.values());
    assertEquals(3, slots.size());
  }
}
