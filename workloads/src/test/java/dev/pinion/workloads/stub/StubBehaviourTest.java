package dev.pinion.workloads.stub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.workloads.stub.StubBehaviour.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StubBehaviourTest {
  private static final int CALLS = 100_000;
  private static final long MILLI = 1_000_000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // model                                             | mean | median | share above 20 ms
        "{'kind':'constant','ms':7}                          | 7    | 7      | 0",
        "{'kind':'uniform','ms':20,'spreadMs':10}            | 20   | 20     | 0.5",
        "{'kind':'exponential','ms':10}                      | 10   | 6.931  | 0.1353",
        "{'kind':'normal','ms':30,'spreadMs':5}              | 30   | 30     | 0.9772",
        "{'kind':'lognormal','ms':10,'sigma':1}              | 16.49| 10     | 0.2441",
        "{'kind':'bimodal','ms':1,'slowMs':91,'slowShare':.1}| 10   | 1      | 0.1",
      })
  void shouldDrawServiceTimes(String model, double mean, double median, double above)
      throws IOException {
    // given
    StubBehaviour script = script("{'latency':" + model.replace(":.1", ":0.1") + "}");

    // when
    double[] times = DoubleStream.generate(() -> millis(script.nextCall(0))).limit(CALLS).toArray();

    // then
    assertEquals(mean, DoubleStream.of(times).average().orElse(0), 0.03 * mean);
    assertEquals(
        median,
        DoubleStream.of(times).sorted().skip(CALLS / 2).findFirst().orElse(0),
        0.02 * median);
    assertEquals(above, DoubleStream.of(times).filter(t -> t > 20).count() / (double) CALLS, 0.005);
  }

  @Test
  void shouldServeSoManyAtATimeInOrder() throws IOException {
    // given
    StubBehaviour script = script("{'delayMs':10,'capacity':2,'queue':3}");

    // when: six arrive at once, a seventh when two are completed
    long[] first = LongStream.generate(() -> outcome(script, 0)).limit(6).toArray();
    long seventh = outcome(script, 10 * MILLI);

    // then: the sixth exceeds the queue
    assertEquals("[10, 10, 20, 20, 30, -503]", java.util.Arrays.toString(first));
    assertEquals(20, seventh);
    assertEquals(10, outcome(script, 1_000 * MILLI));
  }

  @Test
  void shouldAnswerNothingDuringStalls() throws IOException {
    // given: a stall from 800 to 1,000 ms of each second
    StubBehaviour script = script("{'delayMs':10,'stallEveryMs':1000,'stallForMs':200}");

    assertEquals(10, outcome(script, 0));
    assertEquals(10, outcome(script, 789 * MILLI));
    assertEquals(210, outcome(script, 790 * MILLI));
    assertEquals(11, outcome(script, 989 * MILLI));
    assertEquals(10, outcome(script, 990 * MILLI));
    assertEquals(200, outcome(script, 1_800 * MILLI));
  }

  @Test
  void shouldFailTheSameCallsAgain() throws IOException {
    String json = "{'failureRate':0.25,'seed':3,'latency':{'kind':'exponential','ms':1}}";
    StubBehaviour one = script(json);
    StubBehaviour other = script(json);

    int failed = 0;
    for (int i = 0; i < 10_000; i++) {
      Outcome outcome = one.nextCall(i);
      assertEquals(outcome, other.nextCall(i));
      failed += outcome.fails() ? 1 : 0;
    }
    assertTrue(failed > 2_300 && failed < 2_700, "failed " + failed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{'delayMs':1,'latency':{'ms':1}}",
        "{'latency':{'kind':'constant','ms':1,'spreadMs':1}}",
        "{'latency':{'kind':'uniform','ms':1,'sigma':1}}",
        "{'latency':{'kind':'lognormal','ms':1,'sigma':5.1}}",
        "{'latency':{'kind':'bimodal','ms':1,'slowMs':2,'slowShare':1.1}}",
        "{'latency':{'ms':-1}}",
        "{'latency':{'ms':3600001}}",
        "{'latency':{'kind':'other'}}",
        "{'capacity':100001}",
        "{'capacity':-1}",
        "{'queue':1}",
        "{'capacity':1,'queue':1000001}",
        "{'stallForMs':1}",
        "{'stallEveryMs':10,'stallForMs':10}",
      })
  void shouldRefuseScriptsThatMakeNoSense(String json) {
    assertThrows(IOException.class, () -> script(json));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "[]|expected an object with members of a behaviour, found something else",
        "{'delayMs':'x'}|expected delayMs as a number in its range, found something else",
        "{'delayMs':-1}|expected delayMs from 0 to 3600000, found -1",
        "{'failureRate':2}|expected failureRate from 0 to 1, found 2.0",
        "{'latency':3}|expected latency as an object, found something else",
        "{'latency':{'kind':'other'}}|expected latency.kind as one of [constant, uniform,",
        "{'latency':{'ms':-1}}|latency: expected ms from 0 to 3600000, found -1.0",
        "{'delay':1}|expected members [capacity, delayMs, failureRate, latency, queue, seed,",
        "{'latency':{'mean':1}}|found latency.mean",
        "{|expected JSON with each member once, found none in line 1, column ",
        "{'failureRate':NaN}|expected JSON with each member once, found none in line 1, column ",
        "{'seed':1,'seed':2}|expected JSON with each member once, found none in line 1, column ",
        "{'delayMs':1}{'delayMs':2}|expected an object with members of a behaviour",
        "{'latency':{'kind':3,'ms':1}}|expected latency.kind as one of [constant, uniform,",
        "{'queue':5}|expected queue with a capacity only, found 5",
        "{'stallForMs':5}|expected stallForMs with stallEveryMs only, found 5",
        "{'delayMs':1,'latency':{'ms':1}}|expected delayMs without latency only, found 1",
      })
  void shouldSayWhatIsWrongInWordsOfTheScript(String json, String sentence) {
    String said = String.valueOf(assertThrows(IOException.class, () -> script(json)).getMessage());

    assertTrue(said.contains(sentence), said);
    assertFalse(said.matches("(?s).*(dev\\.pinion|REDACTED|Feature).*"), said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'latency':{'kind':'lognormal','ms':3600000,'sigma':5}}",
        "{'capacity':100000,'queue':1000000}",
        "{'stallEveryMs':3600000,'stallForMs':3599999}",
      })
  void shouldTakeScriptsAtTheirLimits(String json) throws IOException {
    assertEquals(200, script(json).nextCall(0).status());
  }

  private static StubBehaviour script(String json) throws IOException {
    byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.US_ASCII);
    return StubBehaviour.parse(bytes, bytes.length, 0);
  }

  /** The delay in ms, or the negative status of a call that fails. */
  private static long outcome(StubBehaviour script, long nowNanos) {
    Outcome outcome = script.nextCall(nowNanos);
    return outcome.fails() ? -outcome.status() : outcome.delayNanos() / MILLI;
  }

  private static double millis(Outcome outcome) {
    return outcome.delayNanos() / 1e6;
  }
}
