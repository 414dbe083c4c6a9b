package dev.pinion.bootstrap.cli.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.store.JournalRepair;
import dev.pinion.core.journal.store.LogId;
import dev.pinion.core.journal.store.LogLimits;
import dev.pinion.core.journal.store.LogSettings;
import dev.pinion.core.model.Clock;
import dev.pinion.core.partition.ReplicaGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Discards the end of a damaged journal, at an operator's request. */
@Command(
    name = "repair",
    description = {
      "Gives up every record of a journal after one position, so that it opens again. What was"
          + " acknowledged after it is lost; the bytes are kept in files named removed-*, and a"
          + " record says who did it and why.",
      "Run 'pinion journal verify' first: it names the first record that is not whole."
    },
    sortOptions = false)
final class JournalRepairCommand extends BaseCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FOLDER", description = "A journal, such as data/journal/0.")
  private Path folder = Path.of("");

  @Option(
      names = "--keep",
      required = true,
      paramLabel = "POSITION",
      description = "The last record to keep.")
  private long keep;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Why; stands in the journal from then on.")
  private String reason = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      description = "Who asks for it (the user of this process).")
  private String who = System.getProperty("user.name", "unknown");

  @Override
  public Integer call() throws CommandException {
    Storage storage = JournalFinder.open(folder);
    LogSettings settings =
        new LogSettings(
            ReplicaGroup.PARTITIONS, "pinion journal", LogId.random(), LogLimits.DEFAULTS);
    try {
      JournalRepair.RepairReport repairReport =
          new JournalRepair(storage, settings, keep, who, reason, Clock.system().epochMillis())
              .run();
      print(repairReport);
      return ExitStatus.OK;
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException(ExitStatus.DATA, String.valueOf(e.getMessage()));
    }
  }

  private void print(JournalRepair.RepairReport repairReport) {
    if (json()) {
      ObjectNode node = CommandOutput.JSON.createObjectNode();
      node.put("kept", repairReport.kept());
      node.put("audit", repairReport.audit());
      repairReport.removed().forEach(node.putArray("removed")::add);
      CommandOutput.json(out(), node);
    } else {
      out()
          .println(
              "kept records up to "
                  + repairReport.kept()
                  + "; record "
                  + repairReport.audit()
                  + " documents it");
      repairReport.removed().forEach(file -> out().println("put aside: " + folder.resolve(file)));
    }
  }
}
