package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.engine.DataDirectoryVerification;
import dev.pinion.core.journal.store.JournalVerification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Reads every byte of journals and reports differences from what was written. */
@Command(
    name = "verify",
    description =
        "Reads every byte of journals and tells what is not as it was written. Changes nothing. The"
            + " end of a journal whose engine is at work may look torn. Of a data folder also the"
            + " claims of its journals, and definitions.",
    sortOptions = false)
final class JournalVerifyCommand extends BaseCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FOLDER", description = "A journal, or the data folder of an engine.")
  private Path folder = Path.of("");

  @Override
  public Integer call() throws CommandFailure {
    ArrayNode results = Output.JSON.createArrayNode();
    boolean sound = true;
    for (Path journal : JournalFolders.below(folder)) {
      JournalVerification.Report report = report(journal);
      sound &= report.isSound();
      if (json()) {
        add(results.addObject(), journal, report);
      } else {
        tell(journal, report);
      }
    }
    for (String problem : besideJournals()) {
      sound = false;
      if (json()) {
        results.addObject().put("sound", false).put("refusal", problem);
      } else {
        err().println(problem);
      }
    }
    if (json()) {
      Output.json(out(), results);
    }
    return sound ? ExitStatus.OK : ExitStatus.DATA;
  }

  /** Faults of claims and definitions in a data folder. */
  private List<String> besideJournals() throws CommandFailure {
    try {
      return DataDirectoryVerification.run(folder);
    } catch (IOException e) {
      throw new CommandFailure(ExitStatus.DATA, String.valueOf(e.getMessage()));
    }
  }

  private static JournalVerification.Report report(Path journal) throws CommandFailure {
    try {
      return JournalVerification.run(JournalFolders.storage(journal));
    } catch (IOException e) {
      throw new CommandFailure(ExitStatus.DATA, String.valueOf(e.getMessage()));
    }
  }

  private void tell(Path journal, JournalVerification.Report report) {
    String result =
        report.isSound()
            ? "sound"
            : report.refusal().isEmpty() ? "opens, with remarks" : "would be refused";
    out()
        .printf(
            Locale.ROOT,
            "%s: %s; %d records in %d segments (%d bytes), %d entries in %d snapshots%n",
            journal,
            result,
            report.records(),
            report.segments(),
            report.bytes(),
            report.entries(),
            report.snapshots());
    for (JournalVerification.Problem problem : report.problems()) {
      String record = problem.record() == 0 ? "" : " record " + problem.record() + ":";
      err().println(problem.file() + ":" + problem.offset() + ":" + record + " " + problem.text());
    }
    if (report.problemCount() > report.problems().size()) {
      err().println("… of " + report.problemCount() + " problems");
    }
  }

  private static void add(ObjectNode result, Path journal, JournalVerification.Report report) {
    result.put("journal", journal.toString());
    result.put("sound", report.isSound());
    result.put("refusal", report.refusal());
    result.put("segments", report.segments());
    result.put("snapshots", report.snapshots());
    result.put("records", report.records());
    result.put("entries", report.entries());
    result.put("bytes", report.bytes());
    result.put("problemCount", report.problemCount());
    ArrayNode problems = result.putArray("problems");
    for (JournalVerification.Problem problem : report.problems()) {
      problems
          .addObject()
          .put("file", problem.file())
          .put("offset", problem.offset())
          .put("record", problem.record())
          .put("text", problem.text());
    }
  }
}
