package dev.pinion.workloads.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The generator and <a href="https://github.com/wg/wrk">wrk</a>, in turn, against a stub with
 * responses after 5 ms. Skipped where wrk is missing.
 */
@Tag("long")
@Timeout(180)
class WrkAgreementTest {
  private static final int CLIENTS = 64;
  private static final int SECONDS = 3;
  private static final int ROUNDS = 7;
  private static final double TOLERANCE = 0.05;

  private record Reading(double perSecond, double medianMillis) {}

  @Test
  void shouldAgreeInRateAndMedian(@TempDir Path folder) throws Exception {
    assumeTrue(hasWrk(), "skipped: expected the command wrk on PATH, found none (apt install wrk)");
    List<Reading> own = new ArrayList<>();
    List<Reading> theirs = new ArrayList<>();
    try (StubService stub = StubService.start(new StubSettings(0, 1, Duration.ofMillis(5), 1))) {
      own(stub, Duration.ofSeconds(SECONDS)); // warm-up, also of the stub
      for (int round = 0; round < ROUNDS; round++) {
        own.add(own(stub, Duration.ofSeconds(1)));
        theirs.add(wrk(stub, folder));
      }
    }
    System.out.println("WrkAgreementTest: own " + own + ", wrk " + theirs);

    double rate = median(own.stream().map(Reading::perSecond));
    double theirRate = median(theirs.stream().map(Reading::perSecond));
    assertEquals(theirRate, rate, TOLERANCE * theirRate, "answers/s");
    double time = median(own.stream().map(Reading::medianMillis));
    double theirTime = median(theirs.stream().map(Reading::medianMillis));
    assertEquals(theirTime, time, TOLERANCE * theirTime, "median in ms");
  }

  private static Reading own(StubService stub, Duration warmUp) throws InterruptedException {
    LoadRequest call =
        LoadRequest.post(stub.uri().resolve("/svc/s1"), "{}", ResponseCheck.success());
    LoadResult result =
        LoadGenerator.run(
            LoadPlan.of(List.of(call), CLIENTS, Duration.ofSeconds(SECONDS))
                .warmingUp(warmUp, CLIENTS));
    assertEquals(0, result.errorCount(), result.errorLines());
    System.out.println("WrkAgreementTest: " + result.generatorLine());
    return new Reading(result.throughput(), result.latencyMillis(50));
  }

  private static Reading wrk(StubService stub, Path folder) throws Exception {
    Path script = folder.resolve("post.lua");
    Files.writeString(script, "wrk.method = \"POST\"\nwrk.body = \"{}\"\n");
    Process wrk =
        new ProcessBuilder(
                "wrk",
                "--latency",
                "-t1",
                "-c" + CLIENTS,
                "-d" + SECONDS + "s",
                "-s" + script,
                stub.uri() + "/svc/s1")
            .redirectErrorStream(true)
            .start();
    String text = new String(wrk.getInputStream().readAllBytes(), UTF_8);
    assertTrue(wrk.waitFor(10, TimeUnit.SECONDS) && wrk.exitValue() == 0, text);
    assertTrue(!text.contains("Non-2xx") && !text.contains("Socket errors"), text);
    Matcher rate = Pattern.compile("Requests/sec:\\s+([0-9.]+)").matcher(text);
    Matcher median = Pattern.compile("50%\\s+([0-9.]+)(us|ms|s)\\b").matcher(text);
    assertTrue(rate.find() && median.find(), text);
    double millis =
        Double.parseDouble(median.group(1))
            * switch (median.group(2).toLowerCase(Locale.ROOT)) {
              case "us" -> 1e-3;
              case "ms" -> 1;
              default -> 1e3;
            };
    return new Reading(Double.parseDouble(rate.group(1)), millis);
  }

  private static double median(Stream<Double> values) {
    double[] sorted = values.mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static boolean hasWrk() throws InterruptedException {
    try {
      Process version = new ProcessBuilder("wrk", "--version").redirectErrorStream(true).start();
      version.getInputStream().readAllBytes();
      return version.waitFor(10, TimeUnit.SECONDS);
    } catch (IOException none) {
      return false;
    }
  }
}
