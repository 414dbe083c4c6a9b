package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.supervise.ReplicaStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The metrics of the parent and of replicas as one text of Prometheus (exposition format 0.0.4):
 * those of a name are grouped, each sample of a replica has the label {@code replica}.
 */
final class MergedReplicaMetrics {
  private static final String HELP = "# HELP ";
  private static final String TYPE = "# TYPE ";

  private final Map<String, StringBuilder> families = new TreeMap<>();

  private MergedReplicaMetrics() {}

  /**
   * The text.
   *
   * @param parent the parent's own metrics, as text
   */
  static String of(String parent, List<ReplicaStatus> replicas) {
    MergedReplicaMetrics all = new MergedReplicaMetrics();
    all.add("", parent);
    replicas.forEach(each -> all.add("replica=\"" + each.index() + "\"", each.metrics()));
    return String.join("", all.families.values());
  }

  /** Samples follow the lines that describe their family; their writers guarantee it. */
  private void add(String label, String text) {
    StringBuilder family = new StringBuilder(); // samples without a family are dropped
    boolean known = true;
    for (String line : text.lines().toList()) {
      if (line.startsWith(HELP)) {
        String name = line.substring(HELP.length()).split(" ", 2)[0];
        known = families.containsKey(name);
        family = families.computeIfAbsent(name, _ -> new StringBuilder());
      }
      if (!line.startsWith("#")) {
        family.append(label.isEmpty() ? line : sample(label, line)).append('\n');
      } else if (!known && (line.startsWith(HELP) || line.startsWith(TYPE))) {
        family.append(line).append('\n');
      }
    }
  }

  private static String sample(String label, String line) {
    int labels = line.indexOf('{');
    int end = line.indexOf(' ');
    return labels >= 0 && labels < end
        ? line.substring(0, labels + 1) + label + "," + line.substring(labels + 1)
        : line.substring(0, Math.max(0, end))
            + "{"
            + label
            + "}"
            + line.substring(Math.max(0, end));
  }
}
