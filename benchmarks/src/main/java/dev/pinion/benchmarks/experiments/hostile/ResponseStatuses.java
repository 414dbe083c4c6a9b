package dev.pinion.benchmarks.experiments.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the statuses of the responses that a server sent on one connection. */
final class ResponseStatuses {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");
  private static final String LENGTH = "content-length:";
  private static final String END = "\r\n\r\n";

  private ResponseStatuses() {}

  /**
   * The final statuses in order, without interim ones (1xx). Responses end by their length; bytes
   * after one without a length belong to it.
   *
   * @throws IllegalArgumentException when something other than a response starts where one is
   *     expected
   */
  static List<Integer> statuses(String received) {
    List<Integer> statuses = new ArrayList<>();
    int at = 0;
    while (at < received.length()) {
      int end = received.indexOf(END, at);
      String head = received.substring(at, end < 0 ? received.length() : end);
      List<String> lines = head.lines().toList();
      Matcher line = STATUS.matcher(lines.isEmpty() ? "" : lines.getFirst());
      if (!line.matches()) {
        throw new IllegalArgumentException(
            "expected an HTTP answer, found \""
                + head.substring(0, Math.min(head.length(), 80))
                + '"');
      }
      int status = Integer.parseInt(line.group(1));
      if (status >= 200) {
        statuses.add(status);
      }
      at = end < 0 ? received.length() : end + END.length() + bodyLength(lines, status, received);
    }
    return statuses;
  }

  private static int bodyLength(List<String> head, int status, String received) {
    for (String line : head) {
      if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        return Integer.parseInt(line.substring(LENGTH.length()).strip());
      }
    }
    return status < 200 || status == 204 ? 0 : received.length();
  }
}
