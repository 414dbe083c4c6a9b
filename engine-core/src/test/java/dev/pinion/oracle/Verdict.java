package dev.pinion.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Expected course and end of a process.
 *
 * @param outcome its end
 * @param millis the least time that it takes, if services take none
 * @param calls the calls that it makes, by the branch that makes them, in order
 * @param occurrences what happens on the way
 */
public record Verdict(
    Outcome outcome, long millis, Map<Integer, List<Call>> calls, Set<Occurrence> occurrences) {
  /** End of a process. */
  public sealed interface Outcome {}

  /** It completes. */
  public record Completed(JsonNode output) implements Outcome {}

  /** It faults. */
  public record Faulted(String type, int status, String instance) implements Outcome {}

  /**
   * A call.
   *
   * @param millis the least time from the start of the process to the call
   * @param certain whether it is made; one of a branch that another one ends may not be
   */
  public record Call(String path, JsonNode body, long millis, boolean certain) {}
}
