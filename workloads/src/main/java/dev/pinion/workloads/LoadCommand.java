package dev.pinion.workloads;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.AnswerCheck;
import dev.pinion.workloads.load.CompletedWith;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.load.ProgressBar;
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
    description = "Loads a server with clients that wait for each answer, and checks every answer.")
final class LoadCommand implements Callable<Integer> {
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
      names = "--expect-output",
      description =
          "JSON, or @FILE: the answer must be of a completed instance with this output."
              + " Without it any status from 200 to 299 will do.")
  private @Nullable String expectedOutput;

  @Option(names = "--clients", defaultValue = "1", description = "Clients; default 1.")
  private int clients;

  @Option(names = "--seconds", defaultValue = "10", description = "Measured time; default 10.")
  private long seconds;

  @Option(names = "--count", description = "End after so many measured answers.")
  private @Nullable Long count;

  @Option(names = "--warm-up-seconds", defaultValue = "2", description = "Default 2.")
  private long warmUpSeconds;

  @Option(names = "--think-ms", defaultValue = "0", description = "Mean think time; default 0.")
  private long thinkMs;

  @Option(names = "--timeout-ms", defaultValue = "30000", description = "Default 30000.")
  private long timeoutMs;

  @Option(names = "--threads", defaultValue = "1", description = "Event loops; default 1.")
  private int threads;

  @Option(names = "--seed", defaultValue = "1", description = "Seed of think times; default 1.")
  private long seed;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls call()
  LoadCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadPlan plan =
        LoadPlan.of(requests(), clients, Duration.ofSeconds(seconds))
            .warmingUp(Duration.ofSeconds(warmUpSeconds), Math.min(4, clients))
            .thinking(Duration.ofMillis(thinkMs), seed)
            .timingOutAfter(Duration.ofMillis(timeoutMs))
            .onThreads(threads);
    LoadResult result;
    try (ProgressBar bar = ProgressBar.onTerminal("load")) {
      result = LoadGenerator.run(count == null ? plan : plan.endingAfter(count), bar);
    }
    print(result);
    return result.errorCount() == 0 && result.answers() > 0 ? 0 : 1;
  }

  private List<LoadRequest> requests() throws IOException {
    if (workload == null) {
      return List.of(
          new LoadRequest(
              method, url, Map.of("content-type", "application/json"), text(body), check()));
    }
    if (expectedOutput != null || !body.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "expected --workload without --body and --expect-output, which it brings itself");
    }
    return LoadRequest.starts(url, Workload.named(workload));
  }

  private AnswerCheck check() throws IOException {
    return expectedOutput == null
        ? AnswerCheck.success()
        : new CompletedWith(new ObjectMapper().readTree(text(expectedOutput)));
  }

  private void print(LoadResult result) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(result.toJson());
    } else {
      out.println(LoadResult.tableHead(""));
      out.println(result.row(workload == null ? method : workload));
      out.print(result.errorLines());
    }
    out.flush();
  }

  private static String text(String textOrFile) throws IOException {
    return textOrFile.startsWith("@")
        ? Files.readString(Path.of(textOrFile.substring(1)))
        : textOrFile;
  }
}
