package dev.pinion.bootstrap.cli.handlers;

import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.handlers.builtin.observe.AuditFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks an audit file for tampering. */
@Command(
    name = "verify-audit",
    description =
        "Checks each record of a file of the handler audit against the one before, and tells how"
            + " many there are and the hash of the last one. Changes nothing. The end of a file that"
            + " is being written to may look torn.",
    sortOptions = false)
final class HandlersVerifyAuditCommand extends BaseCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The audit file.")
  private Path file = Path.of("");

  @Option(
      names = "--head",
      paramLabel = "HASH",
      description = "What the hash of the last record must be, as it was kept elsewhere.")
  private @Nullable String head;

  @Override
  public Integer call() throws CommandException {
    if (!Files.isReadable(file)) {
      throw new CommandException(
          ExitStatus.NO_INPUT, "expected an audit file that can be read, found " + file);
    }
    AuditFile.Verified found = verified();
    boolean sound = found.tornBytes() == 0 && (head == null || head.equals(found.head()));
    if (json()) {
      CommandOutput.json(
          out(),
          CommandOutput.JSON
              .createObjectNode()
              .put("sound", sound)
              .put("records", found.records())
              .put("head", found.head())
              .put("tornBytes", found.tornBytes()));
    } else {
      out().println(found.records() + " records, the last one with hash " + found.head());
      print(found);
    }
    return sound ? ExitStatus.OK : ExitStatus.DATA;
  }

  private AuditFile.Verified verified() throws CommandException {
    try {
      return AuditFile.verify(file);
    } catch (IOException e) {
      throw new CommandException(ExitStatus.DATA, file + ": " + e.getMessage());
    }
  }

  private void print(AuditFile.Verified found) {
    if (found.tornBytes() > 0) {
      err().println("expected whole records, found " + found.tornBytes() + " B of one at the end");
    }
    if (head != null && !head.equals(found.head())) {
      err().println("expected the last record to have hash " + head + ", found another");
    }
  }
}
