package dev.pinion.workloads;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.CompletionCheck;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.load.ProgressBar;
import dev.pinion.workloads.load.ResponseCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code load}: runs the load generator once. */
@Command(
    name = "load",
    description = {
      "Loads a server and checks every answer: with clients that wait for their answer and think, or,"
          + " with --arrivals, with requests that come at a rate of their own.",
      "Latencies count from when a request was due. Exit code 0 when every answer was right."
    })
final class LoadCommand implements Callable<Integer> {
  private static final String EXPECT_OUTPUT = "--expect-output";
  private static final int FEW = 4;
  private static final Duration DEFAULT_TIME = Duration.ofSeconds(10);

  @Option(
      names = "--url",
      required = true,
      description = "What to call; with --workload, where the engine listens.")
  private URI url;

  @Option(
      names = "--workload",
      description = "Start instances of this workload, which the engine has, and check its output.")
  private @Nullable String workload;

  @Option(names = "--method", defaultValue = "POST", description = "Method; default POST.")
  private String method;

  @Option(
      names = "--body",
      defaultValue = "",
      description = "JSON body, or @FILE to read it from there.")
  private String body;

  @Option(
      names = EXPECT_OUTPUT,
      description =
          "JSON, or @FILE: the answer must be of a completed instance with this output."
              + " Without it any status from 200 to 299 will do.")
  private @Nullable String expectedOutput;

  @Option(
      names = "--clients",
      defaultValue = "1",
      description = "Clients; with --arrivals, the most requests under way at once. Default 1.")
  private int clients;

  @Option(
      names = "--arrivals",
      description =
          "${COMPLETION-CANDIDATES}: requests come at --rate, whether or not others were answered.")
  private Arrivals.@Nullable Pattern arrivals;

  @Option(names = "--rate", description = "Requests per second, with --arrivals.")
  private @Nullable Double rate;

  @Option(names = "--iterations", description = "End each client after so many measured requests.")
  private @Nullable Long iterations;

  @Option(
      names = "--seconds",
      description =
          "Measured time, 1 to 604800; default 10, or the most there is with --count or --iterations.")
  private @Nullable Long seconds;

  @Option(names = "--count", description = "End after so many measured requests.")
  private @Nullable Long count;

  @Option(names = "--warm-up-seconds", defaultValue = "2", description = "Default 2.")
  private long warmUpSeconds;

  @Option(
      names = "--think-ms",
      defaultValue = "0",
      description =
          "Mean think time, from a normal distribution with half its square as variance, cut at 0;"
              + " default 0.")
  private long thinkMs;

  @Option(names = "--timeout-ms", defaultValue = "30000", description = "Default 30000.")
  private long timeoutMs;

  @Option(names = "--threads", defaultValue = "1", description = "Event loops; default 1.")
  private int threads;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of think times and arrivals; default 1.")
  private long seed;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls call()
  LoadCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadPlan plan = plan();
    LoadResult result;
    try (ProgressBar bar = ProgressBar.onTerminal("load")) {
      result = LoadGenerator.run(plan, bar);
    }
    print(result);
    return result.errorCount() == 0 && result.rightResponses() > 0 ? 0 : 1;
  }

  private LoadPlan plan() throws IOException {
    if ((arrivals == null) != (rate == null)) {
      throw new ParameterException(
          spec.commandLine(), "expected --arrivals and --rate together, found one of them");
    }
    requireRanges();
    LoadPlan plan =
        LoadPlan.of(requests(), clients, duration())
            .warmingUp(Duration.ofSeconds(warmUpSeconds), warmUpClients())
            .thinking(Duration.ofMillis(thinkMs), seed)
            .endingAfter(count == null ? Long.MAX_VALUE : count)
            .iterating(iterations == null ? Long.MAX_VALUE : iterations)
            .timingOutAfter(Duration.ofMillis(timeoutMs))
            .onThreads(threads);
    return arrivals == null || rate == null
        ? plan
        : plan.arriving(new Arrivals(arrivals, rate), seed);
  }

  private void requireRanges() {
    require("--clients", clients, 1, LoadPlan.MAX_CLIENTS);
    require("--threads", threads, 1, LoadPlan.MAX_THREADS);
    require("--seconds", seconds == null ? 1 : seconds, 1, LoadPlan.MAX_TIME.toSeconds());
    require("--warm-up-seconds", warmUpSeconds, 0, LoadPlan.MAX_TIME.toSeconds());
    require("--think-ms", thinkMs, 0, LoadPlan.MAX_TIME.toMillis());
    require("--timeout-ms", timeoutMs, 1, LoadPlan.MAX_TIME.toMillis());
    require("--count", count == null ? 1 : count, 1, Long.MAX_VALUE);
    require("--iterations", iterations == null ? 1 : iterations, 1, Long.MAX_VALUE);
    if (rate != null && !(rate > 0 && rate <= Arrivals.MAX_PER_SECOND)) {
      throw new ParameterException(
          spec.commandLine(),
          "expected --rate above 0 and at most "
              + (long) Arrivals.MAX_PER_SECOND
              + ", found "
              + rate);
    }
  }

  private void require(String option, long found, long least, long most) {
    OptionRange.require(spec, option, found, least, most);
  }

  /** Thinking clients are no load individually, and must be connected when measuring begins. */
  private int warmUpClients() {
    return thinkMs == 0 ? Math.min(FEW, clients) : clients;
  }

  private Duration duration() {
    if (seconds != null) {
      return Duration.ofSeconds(seconds);
    }
    return count == null && iterations == null ? DEFAULT_TIME : LoadPlan.MAX_TIME;
  }

  private List<LoadRequest> requests() throws IOException {
    if (workload == null) {
      return List.of(
          new LoadRequest(
              method,
              url,
              Map.of("content-type", "application/json"),
              text("--body", body),
              check()));
    }
    if (expectedOutput != null || !body.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "expected --workload without --body and --expect-output, which it brings itself");
    }
    return LoadRequest.starts(url, Workload.named(workload));
  }

  private ResponseCheck check() throws IOException {
    if (expectedOutput == null) {
      return ResponseCheck.success();
    }
    try {
      return new CompletionCheck(new ObjectMapper().readTree(text(EXPECT_OUTPUT, expectedOutput)));
    } catch (JsonProcessingException e) {
      throw new ParameterException(
          spec.commandLine(),
          "expected "
              + EXPECT_OUTPUT
              + " as JSON, found none in line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr(),
          e);
    }
  }

  private void print(LoadResult result) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(result.toJson());
    } else {
      out.println(LoadResult.tableHead(""));
      out.println(result.row(workload == null ? method : workload));
      out.print(result.errorLines());
      out.println(result.generatorLine());
    }
    out.flush();
  }

  private String text(String option, String textOrFile) throws IOException {
    if (!textOrFile.startsWith("@")) {
      return textOrFile;
    }
    Path file = Path.of(textOrFile.substring(1));
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new ParameterException(
          spec.commandLine(), "expected " + option + " as JSON or @FILE, found no file " + file);
    }
    return Files.readString(file);
  }
}
