package dev.pinion.core.engine;

import dev.pinion.core.definition.DirectoryDefinitionStore;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.JournalVerification;
import dev.pinion.core.partition.JournalCatalog;
import dev.pinion.core.partition.PartitionClaims;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Verifies the files of a data directory other than the journals: the claims of each journal, and
 * definitions. Changes nothing.
 */
public final class DataDirectoryVerification {
  private final Path journals;
  private final Path definitions;
  private final List<String> problems = new ArrayList<>();

  private DataDirectoryVerification(Path data) {
    this.journals = data.resolve("journal");
    this.definitions = data.resolve("definitions");
  }

  /**
   * Checks a data directory.
   *
   * @return the problems, each naming a file; none for parts that do not exist
   * @throws IOException when something cannot be read
   */
  public static List<String> run(Path data) throws IOException {
    DataDirectoryVerification verification = new DataDirectoryVerification(data);
    if (Files.isDirectory(verification.journals)) {
      verification.checkList();
      verification.checkClaims();
      verification.checkJournals();
    }
    verification.problems.addAll(new DirectoryDefinitionStore(verification.definitions).problems());
    return List.copyOf(verification.problems);
  }

  private void checkList() {
    try {
      problems.addAll(JournalCatalog.missing(journals));
    } catch (IOException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }

  private void checkClaims() throws IOException {
    try (DirectoryStream<Path> claims = Files.newDirectoryStream(journals, "claims-*")) {
      for (Path file : claims) {
        String log = PartitionClaims.logOf(file);
        try {
          PartitionClaims.parse(file, log);
        } catch (IOException e) {
          problems.add(String.valueOf(e.getMessage()));
        }
        if (!isJournal(journals.resolve(log))) {
          problems.add(
              "expected "
                  + format(journals.resolve(log))
                  + " of a journal with claims in "
                  + file
                  + ", found none; put a copy of it back");
        }
      }
    }
  }

  private void checkJournals() throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(journals)) {
      for (Path journal : folders) {
        Path claims = PartitionClaims.fileOf(journals, String.valueOf(journal.getFileName()));
        if (isJournal(journal) && !Files.exists(claims) && hasRecords(journal)) {
          problems.add(
              "expected the claims of "
                  + journal
                  + " in "
                  + claims
                  + ", found none; put a copy of it back");
        }
      }
    }
  }

  private static boolean isJournal(Path folder) {
    return Files.exists(format(folder));
  }

  private static Path format(Path journal) {
    return journal.resolve("FORMAT");
  }

  private static boolean hasRecords(Path journal) throws IOException {
    JournalVerification.VerificationReport verificationReport =
        JournalVerification.run(new FileStorage(journal));
    return verificationReport.records() + verificationReport.entries() > 0;
  }
}
