package dev.pinion.bootstrap.cli.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.store.JournalDump;
import dev.pinion.core.limits.EngineLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the records of a journal, one per line. */
@Command(
    name = "dump",
    description =
        "Shows the records of a journal, one a line, also of one that an engine refuses. Changes"
            + " nothing. With --json, one object a line.",
    sortOptions = false)
final class JournalDumpCommand extends BaseCommand implements Callable<Integer> {
  private final RecordCodec codec =
      new RecordCodec(new PayloadCodec(EngineLimits.defaults().json()));

  @Parameters(paramLabel = "FOLDER", description = "A journal, such as data/journal/0.")
  private Path folder = Path.of("");

  @Option(names = "--from", paramLabel = "POSITION", description = "The first record (1).")
  private long from = 1;

  @Option(names = "--to", paramLabel = "POSITION", description = "The last record (all).")
  private long to = Long.MAX_VALUE;

  @Override
  public Integer call() throws CommandException {
    try {
      new JournalDump(JournalFinder.open(folder), new Lines()).run(from, to);
    } catch (IOException e) {
      throw new CommandException(ExitStatus.DATA, String.valueOf(e.getMessage()));
    }
    out().flush();
    return ExitStatus.OK;
  }

  /** Content of a record, or null when it is not an event of an instance. */
  private @Nullable JournalRecord read(byte kind, ByteBuffer payload) {
    try {
      return RecordCodec.isEvent(kind) ? codec.decode(kind, payload) : null;
    } catch (IOException _) {
      return null; // the line shows the kind, and verify reports the fault
    }
  }

  private final class Lines implements JournalDump.LineSink {
    @Override
    public void onRecord(JournalDump.DumpLine dumpLine, ByteBuffer payload) throws IOException {
      JournalRecord record = read(dumpLine.kind(), payload);
      if (json()) {
        out().println(CommandOutput.JSON.writeValueAsString(node(dumpLine, record)));
      } else if (record == null) {
        out().println(dumpLine.text());
      } else {
        out()
            .println(
                dumpLine.text()
                    + " "
                    + record.id()
                    + " event "
                    + record.sequence()
                    + " "
                    + RecordCodec.eventName(dumpLine.kind()));
      }
    }

    private static ObjectNode node(JournalDump.DumpLine dumpLine, @Nullable JournalRecord record) {
      ObjectNode node = CommandOutput.JSON.createObjectNode();
      node.put("position", dumpLine.position());
      node.put("partition", dumpLine.partition());
      node.put("epoch", dumpLine.epoch());
      node.put("kind", dumpLine.kind());
      node.put("length", dumpLine.length());
      node.put("crc32c", HexFormat.of().toHexDigits(dumpLine.checksum()));
      node.put("forced", dumpLine.forced());
      node.put("file", dumpLine.file());
      node.put("offset", dumpLine.offset());
      if (record != null) {
        node.put("instance", record.id().toString());
        node.put("sequence", record.sequence());
        node.put("event", RecordCodec.eventName(dumpLine.kind()));
        node.put("epochMillis", record.epochMillis());
      }
      return node;
    }

    @Override
    public void onGap(String file, long offset, long bytes) {
      err().println(file + ":" + offset + ": no record for " + bytes + " bytes");
    }
  }
}
