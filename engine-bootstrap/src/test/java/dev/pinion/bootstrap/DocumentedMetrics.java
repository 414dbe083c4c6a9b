package dev.pinion.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables of docs/metrics.md, and text of Prometheus in the same form: a metric is a line of
 * name, type and labels.
 */
public final class DocumentedMetrics {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z]\\w+)` \\| (\\w+) \\|([^|]*)\\| [^|]+ \\| .+ \\|$");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\w+) (\\w+)$");
  private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern SUFFIX = Pattern.compile("_(bucket|sum|count)$");

  /** Labels of buckets, not of metrics. */
  private static final Set<String> OF_BUCKETS = Set.of("le");

  private DocumentedMetrics() {}

  /** The metrics of a section of the page. */
  public static SortedSet<String> of(String section) throws IOException {
    String page = Files.readString(root().resolve("docs").resolve("metrics.md"));
    int from = page.indexOf("\n## " + section + "\n");
    if (from < 0) {
      throw new IllegalArgumentException("expected a section " + section + ", found none");
    }
    int to = page.indexOf("\n## ", from + 1);
    return ROW.matcher(page.substring(from, to))
        .results()
        .map(row -> line(row.group(1), row.group(2), labels(row.group(3))))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names in a section of the page. */
  public static SortedSet<String> names(String section) throws IOException {
    return of(section).stream()
        .map(each -> each.substring(0, each.indexOf(' ')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The metrics of a text of Prometheus. */
  public static SortedSet<String> exported(String text) {
    SortedMap<String, String> types = new TreeMap<>();
    TYPE.matcher(text).results().forEach(each -> types.put(each.group(1), each.group(2)));
    SortedMap<String, SortedSet<String>> labels = new TreeMap<>();
    for (MatchResult sample : SAMPLE.matcher(text).results().toList()) {
      String name = sample.group(1);
      String family = types.containsKey(name) ? name : SUFFIX.matcher(name).replaceFirst("");
      SortedSet<String> known = labels.computeIfAbsent(family, _ -> new TreeSet<>());
      if (sample.group(2) != null) {
        LABEL.matcher(sample.group(2)).results().forEach(each -> known.add(each.group(1)));
      }
      known.removeAll(OF_BUCKETS);
    }
    return labels.entrySet().stream()
        .map(each -> line(each.getKey(), types.getOrDefault(each.getKey(), "-"), each.getValue()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The root of the project. */
  public static Path root() {
    return Path.of(System.getProperty("pinion.root", ".."));
  }

  private static SortedSet<String> labels(String cell) {
    return Stream.of(cell.replace("`", "").split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String line(String name, String type, SortedSet<String> labels) {
    return name + " " + type + " " + labels;
  }
}
