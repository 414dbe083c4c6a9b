package dev.pinion.bootstrap.cli.journal;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
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
  public Integer call() throws CommandException {
    ArrayNode results = CommandOutput.JSON.createArrayNode();
    boolean sound = true;
    for (Path journal : JournalFinder.below(folder)) {
      JournalVerification.VerificationReport verificationReport = report(journal);
      sound &= verificationReport.isSound();
      if (json()) {
        add(results.addObject(), journal, verificationReport);
      } else {
        print(journal, verificationReport);
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
      CommandOutput.json(out(), results);
    }
    return sound ? ExitStatus.OK : ExitStatus.DATA;
  }

  /** Faults of claims and definitions in a data folder. */
  private List<String> besideJournals() throws CommandException {
    try {
      return DataDirectoryVerification.run(folder);
    } catch (IOException e) {
      throw new CommandException(ExitStatus.DATA, String.valueOf(e.getMessage()));
    }
  }

  private static JournalVerification.VerificationReport report(Path journal)
      throws CommandException {
    try {
      return JournalVerification.run(JournalFinder.storage(journal));
    } catch (IOException e) {
      throw new CommandException(ExitStatus.DATA, String.valueOf(e.getMessage()));
    }
  }

  private void print(Path journal, JournalVerification.VerificationReport verificationReport) {
    String result =
        verificationReport.isSound()
            ? "sound"
            : verificationReport.refusal().isEmpty() ? "opens, with remarks" : "would be refused";
    out()
        .printf(
            Locale.ROOT,
            "%s: %s; %d records in %d segments (%d bytes), %d entries in %d snapshots%n",
            journal,
            result,
            verificationReport.records(),
            verificationReport.segments(),
            verificationReport.bytes(),
            verificationReport.entries(),
            verificationReport.snapshots());
    for (JournalVerification.VerificationProblem verificationProblem :
        verificationReport.problems()) {
      String record =
          verificationProblem.record() == 0 ? "" : " record " + verificationProblem.record() + ":";
      err()
          .println(
              verificationProblem.file()
                  + ":"
                  + verificationProblem.offset()
                  + ":"
                  + record
                  + " "
                  + verificationProblem.text());
    }
    if (verificationReport.problemCount() > verificationReport.problems().size()) {
      err().println("… of " + verificationReport.problemCount() + " problems");
    }
  }

  private static void add(
      ObjectNode result, Path journal, JournalVerification.VerificationReport verificationReport) {
    result.put("journal", journal.toString());
    result.put("sound", verificationReport.isSound());
    result.put("refusal", verificationReport.refusal());
    result.put("segments", verificationReport.segments());
    result.put("snapshots", verificationReport.snapshots());
    result.put("records", verificationReport.records());
    result.put("entries", verificationReport.entries());
    result.put("bytes", verificationReport.bytes());
    result.put("problemCount", verificationReport.problemCount());
    ArrayNode problems = result.putArray("problems");
    for (JournalVerification.VerificationProblem verificationProblem :
        verificationReport.problems()) {
      problems
          .addObject()
          .put("file", verificationProblem.file())
          .put("offset", verificationProblem.offset())
          .put("record", verificationProblem.record())
          .put("text", verificationProblem.text());
    }
  }
}
