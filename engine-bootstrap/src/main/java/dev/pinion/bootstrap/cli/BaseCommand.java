package dev.pinion.bootstrap.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Common parts of commands: output, {@code --json} and {@code --help}. */
public abstract class BaseCommand {
  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--json", description = "Print JSON for machines.")
  private boolean json;

  // Read by picocli.
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  public boolean json() {
    return json;
  }

  /** The parsed command line. */
  public ParseResult parsed() {
    return Objects.requireNonNull(spec).commandLine().getParseResult();
  }

  public PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  public PrintWriter err() {
    return Objects.requireNonNull(spec).commandLine().getErr();
  }
}
