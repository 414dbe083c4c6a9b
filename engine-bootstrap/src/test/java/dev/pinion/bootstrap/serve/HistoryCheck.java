package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.CallLog.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Compares the records of services with responses to clients and the ends of instances. */
final class HistoryCheck {
  private final long leastMillis;
  private final List<Call> calls;
  private final Map<Long, Call> byAnswer = new HashMap<>();
  private final Map<String, List<Call>> byKey = new HashMap<>();

  /**
   * A check of calls.
   *
   * @param leastMillis least time between the start of a first call and that of the second
   */
  HistoryCheck(List<Call> calls, long leastMillis) {
    this.calls = calls;
    this.leastMillis = leastMillis;
    for (Call call : calls) {
      byKey.computeIfAbsent(call.key(), _ -> new ArrayList<>()).add(call);
      byAnswer.put(call.answer(), call);
    }
  }

  /**
   * Checks everything.
   *
   * @param ids instance ids in responses to clients, by the numbers of their starts
   * @param ends ends of instances, by their ids
   */
  void run(Map<Integer, String> ids, Map<String, JsonNode> ends) {
    for (Call call : calls) {
      if (call.path().equals(CallLog.LAST)) {
        checkSecond(call);
      } else {
        checkFirst(call, ids);
      }
    }
    ends.forEach(this::checkEnd);
  }

  /** Each key started one instance: the one whose id its client received. */
  private static void checkFirst(Call first, Map<Integer, String> ids) {
    int number = Integer.parseInt(first.body().replaceAll("\\D", ""));
    assertEquals(ids.get(number), first.instance(), first::toString);
  }

  /**
   * A repeated call has the same content, and says that it is a repetition; returns their number.
   */
  int repeated() {
    int repeated = 0;
    for (List<Call> same : byKey.values()) {
      repeated += same.size() - 1;
      for (int i = 1; i < same.size(); i++) {
        assertTrue(same.get(i).attempt() > same.get(i - 1).attempt(), "attempts of " + same);
        assertEquals(same.getFirst().body(), same.get(i).body(), "the same call");
      }
    }
    return repeated;
  }

  private void checkEnd(String id, JsonNode end) {
    assertEquals("COMPLETED", end.path("state").asText(), end.toString());
    long answer = end.path("output").path("second").asLong();
    Call second = Objects.requireNonNull(byAnswer.get(answer), end.toString());
    assertEquals(id, second.instance(), "its own second call");
  }

  /**
   * A second call shows the result of the first to others: from then on the first is not repeated.
   * And it does not come before the end of the sleep.
   */
  private void checkSecond(Call second) {
    String text = second.body();
    long number = Long.parseLong(text.replaceAll("\\D", ""));
    Call first = Objects.requireNonNull(byAnswer.get(number), "whose answer is " + text);
    assertEquals("/first", first.path());
    assertEquals(first.instance(), second.instance());
    long slept = TimeUnit.NANOSECONDS.toMillis(second.nanos() - first.nanos());
    assertTrue(slept >= leastMillis, "early: " + slept + " ms, " + second);
    for (Call again : byKey.getOrDefault(first.key(), List.of())) {
      assertTrue(
          again.nanos() <= second.nanos(), "made again although its answer was visible: " + again);
    }
  }
}
