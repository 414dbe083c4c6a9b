package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.report.ResultComparison;
import dev.pinion.benchmarks.report.ResultFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code experiment compare}: two result sets of one experiment side by side. */
@Command(
    name = "compare",
    description = "Shows the results of two runs of one experiment side by side.",
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
  private static final String PAGE = "compare.html";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "A", description = "What --out of the first run named.")
  private Path a = Path.of("");

  @Parameters(index = "1", paramLabel = "B", description = "What --out of the second run named.")
  private Path b = Path.of("");

  @Option(names = "--json", description = "As JSON.")
  private boolean json;

  @Option(names = "--out", paramLabel = "DIR", description = "Write compare.html into this folder.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException {
    ResultComparison both = new ResultComparison(ResultFiles.read(a), ResultFiles.read(b));
    PrintWriter writer = spec.commandLine().getOut();
    writer.print(json ? both.json().toPrettyString() + "\n" : both.text());
    writer.flush();
    if (out != null) {
      ResultFiles.prepare(out);
      Path page = Files.writeString(out.resolve(PAGE), both.html());
      spec.commandLine().getErr().println("wrote " + page.toAbsolutePath());
    }
    return ExitCode.OK;
  }
}
