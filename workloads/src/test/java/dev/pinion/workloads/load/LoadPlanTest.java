package dev.pinion.workloads.load;

import static dev.pinion.workloads.load.Arrivals.Pattern.POISSON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LoadPlanTest {
  private static final URI HERE = URI.create("http://127.0.0.1:80/");

  static List<UnaryOperator<LoadPlan>> edges() {
    return List.of(
        plan -> plan.onThreads(LoadPlan.MAX_THREADS),
        plan -> plan.thinking(LoadPlan.MAX_TIME, 1),
        plan -> plan.timingOutAfter(LoadPlan.MAX_TIME),
        plan -> plan.warmingUp(Duration.ZERO, 1),
        plan -> plan.warmingUp(LoadPlan.MAX_TIME, LoadPlan.MAX_CLIENTS),
        plan -> plan.endingAfter(1),
        plan -> plan.iterating(1),
        plan -> plan.arriving(new Arrivals(POISSON, Arrivals.MAX_PER_SECOND), 1));
  }

  static List<UnaryOperator<LoadPlan>> beyond() {
    return List.of(
        plan -> plan.onThreads(LoadPlan.MAX_THREADS + 1),
        plan -> plan.onThreads(0),
        plan -> plan.thinking(LoadPlan.MAX_TIME.plusNanos(1), 1),
        plan -> plan.thinking(Duration.ofNanos(-1), 1),
        plan -> plan.timingOutAfter(Duration.ZERO),
        plan -> plan.warmingUp(Duration.ZERO, 0),
        plan -> plan.warmingUp(Duration.ZERO, LoadPlan.MAX_CLIENTS + 1),
        plan -> plan.endingAfter(0),
        plan -> plan.iterating(0),
        plan -> plan.arriving(new Arrivals(POISSON, 0), 1),
        plan -> plan.arriving(new Arrivals(POISSON, Arrivals.MAX_PER_SECOND * 1.001), 1),
        plan -> plan.arriving(new Arrivals(POISSON, 1), 1).iterating(1),
        plan -> plan.arriving(new Arrivals(POISSON, 1), 1).thinking(Duration.ofMillis(1), 1));
  }

  @ParameterizedTest
  @MethodSource("edges")
  void shouldAcceptItsLimits(UnaryOperator<LoadPlan> change) {
    assertEquals(LoadPlan.MAX_CLIENTS, change.apply(plan(LoadPlan.MAX_CLIENTS)).clients());
  }

  @ParameterizedTest
  @MethodSource("beyond")
  void shouldRefuseWhatIsBeyondThem(UnaryOperator<LoadPlan> change) {
    LoadPlan plan = plan(LoadPlan.MAX_CLIENTS);
    assertThrows(IllegalArgumentException.class, () -> change.apply(plan));
  }

  @Test
  void shouldRefuseClientsBeyondTheLimitAndRequestsToSeveralServers() {
    assertThrows(IllegalArgumentException.class, () -> plan(LoadPlan.MAX_CLIENTS + 1));
    assertThrows(IllegalArgumentException.class, () -> plan(0));
    List<LoadRequest> two = List.of(get(HERE), get(URI.create("http://127.0.0.1:81/")));
    Duration second = Duration.ofSeconds(1);
    assertThrows(IllegalArgumentException.class, () -> LoadPlan.of(two, 1, second));
    assertThrows(IllegalArgumentException.class, () -> LoadPlan.of(List.of(), 1, second));
  }

  @ParameterizedTest
  @CsvSource({
    "HEAD,http://h/",
    "get,http://h/",
    "'GET x',http://h/",
    "GET,https://h/",
    "GET,/path",
  })
  void shouldRefuseRequestsItCannotSend(String method, URI uri) {
    assertThrows(
        IllegalArgumentException.class,
        () -> new LoadRequest(method, uri, Map.of(), "", ResponseCheck.success()));
  }

  @Test
  void shouldRefuseHeaderFieldsThatWouldBreakTheRequest() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new LoadRequest("GET", HERE, Map.of("a", "b\r\nc: d"), "", ResponseCheck.success()));
  }

  @Test
  void shouldLayOutRequestsAsTheyAreSent() {
    // when
    byte[] bytes =
        LoadRequest.post(URI.create("http://h:1/a%20b?c=d"), "\"ü\"", ResponseCheck.success())
            .bytes();

    // then
    assertEquals(
        "POST /a%20b?c=d HTTP/1.1\r\nhost: h:1\r\ncontent-type: application/json\r\n"
            + "content-length: 4\r\n\r\n\"ü\"",
        new String(bytes, UTF_8));
  }

  @Test
  void shouldDrawThinkTimesAroundTheirMeanAndBeginAmidOne() {
    // given
    long seed = 42;
    ThinkTime thinkTime = new ThinkTime(1_000_000_000, new SplittableRandom(seed));
    ThinkTime none = new ThinkTime(0, new SplittableRandom(seed));

    // when
    double whole = mean(thinkTime::nextNanos);
    double rest = mean(thinkTime::restNanos);

    // then: a normal distribution of mean 1 and variance 0.5, truncated at 0, has the mean 1.025;
    // the mean rest at a moment in it is its mean square, 1.486, divided by twice that
    assertEquals(1.025e9, whole, 0.01e9, "seed " + seed);
    assertEquals(0.725e9, rest, 0.01e9, "seed " + seed);
    assertEquals(0, none.nextNanos());
    assertEquals(0, none.restNanos());
  }

  private static double mean(DoubleSupplier times) {
    return DoubleStream.generate(times).limit(100_000).average().orElseThrow();
  }

  private static LoadPlan plan(int clients) {
    return LoadPlan.of(List.of(get(HERE)), clients, Duration.ofSeconds(1));
  }

  private static LoadRequest get(URI uri) {
    return new LoadRequest("GET", uri, Map.of(), "", ResponseCheck.success());
  }
}
