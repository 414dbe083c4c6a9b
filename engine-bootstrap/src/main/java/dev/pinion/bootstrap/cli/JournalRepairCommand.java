package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.journal.store.JournalRepair;
import dev.pinion.core.journal.store.LogId;
import dev.pinion.core.journal.store.LogSettings;
import dev.pinion.core.journal.store.Storage;
import dev.pinion.core.journal.store.StoreBounds;
import dev.pinion.core.model.Clock;
import dev.pinion.core.peer.Neighbourhood;
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
  public Integer call() throws CommandFailure {
    Storage storage = JournalFolders.open(folder);
    LogSettings settings =
        new LogSettings(
            Neighbourhood.PARTITIONS, "pinion journal", LogId.random(), StoreBounds.DEFAULTS);
    try {
      JournalRepair.Result result =
          new JournalRepair(storage, settings, keep, who, reason, Clock.system().epochMillis())
              .run();
      tell(result);
      return ExitStatus.OK;
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(ExitStatus.DATA, String.valueOf(e.getMessage()));
    }
  }

  private void tell(JournalRepair.Result result) {
    if (json()) {
      ObjectNode node = Output.JSON.createObjectNode();
      node.put("kept", result.kept());
      node.put("audit", result.audit());
      result.removed().forEach(node.putArray("removed")::add);
      Output.json(out(), node);
    } else {
      out()
          .println(
              "kept records up to "
                  + result.kept()
                  + "; record "
                  + result.audit()
                  + " documents it");
      result.removed().forEach(file -> out().println("put aside: " + folder.resolve(file)));
    }
  }
}
