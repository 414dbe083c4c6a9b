package dev.pinion.core.journal;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Record of the opening of a journal: the clock and the limits under which the following records
 * were written. As lines of text: the scale, the version, each limit with its value, and the naming
 * of calls.
 *
 * @param scale name of the monotonic clock's scale; see {@link Clock#scale}
 * @param version version of the engine
 * @param limits every limit by name
 * @param callsAreNumbered whether calls were named by their numbers, as by engines that do not
 *     record it
 */
public record JournalHeader(
    String scale, String version, Map<String, Integer> limits, boolean callsAreNumbered) {
  /** The kind of record. */
  public static final byte KIND = 16;

  /** Marker among the limits: calls are named by the runs of their tasks. */
  private static final String CALLS_OF_RUNS = "form.callsOfRuns";

  /** The opening at this moment. */
  public static JournalHeader now(Clock clock, EngineLimits limits) {
    return new JournalHeader(clock.scale(), EngineVersion.CURRENT, limits.values(), false);
  }

  /**
   * The limits that were in force. Values and errors were unbounded before limits on them existed;
   * other unrecorded limits are those of now.
   */
  public EngineLimits inForce(EngineLimits now) {
    Map<String, Integer> then = new HashMap<>(limits);
    then.putIfAbsent("json.maxHeapBytes", Integer.MAX_VALUE);
    then.putIfAbsent("instance.maxErrorBytes", Integer.MAX_VALUE);
    return now.with(then);
  }

  public ByteBuffer encode() {
    StringBuilder text = new StringBuilder();
    text.append(scale).append('\n').append(version).append('\n');
    limits.forEach((name, value) -> text.append(name).append(' ').append(value).append('\n'));
    if (!callsAreNumbered) {
      text.append(CALLS_OF_RUNS).append(" 1\n");
    }
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads the output of {@link #encode}.
   *
   * @throws IOException when it is something else
   */
  public static JournalHeader decode(ByteBuffer bytes) throws IOException {
    List<String> lines =
        StandardCharsets.UTF_8.decode(bytes.duplicate()).toString().lines().toList();
    try {
      Map<String, Integer> limits = new LinkedHashMap<>();
      for (String line : lines.subList(2, lines.size())) {
        int space = line.indexOf(' ');
        limits.put(line.substring(0, space), Integer.valueOf(line.substring(space + 1)));
      }
      boolean numbered = limits.remove(CALLS_OF_RUNS) == null;
      return new JournalHeader(lines.get(0), lines.get(1), limits, numbered);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new IOException(
          "expected clock, version and limits of an opening of the journal, found " + lines, e);
    }
  }
}
