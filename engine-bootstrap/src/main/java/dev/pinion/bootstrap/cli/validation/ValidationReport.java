package dev.pinion.bootstrap.cli.validation;

import java.io.PrintWriter;
import java.nio.file.Path;

/** A report of findings in one format. */
interface ValidationReport {
  /** Adds what was found in one file. */
  void add(FileFinding finding);

  /**
   * Ends the report.
   *
   * @param status exit status of the command
   */
  void end(int status);

  /** The formats of reports. */
  enum Format {
    /** Lines for people and editors. */
    TEXT,
    /** One array for scripts. */
    JSON,
    /** Static Analysis Results Interchange Format 2.1.0, for code review and editors. */
    SARIF;

    /**
     * A report in this format.
     *
     * @param base directory to which SARIF refers files
     */
    ValidationReport to(PrintWriter out, PrintWriter err, Path base, String version) {
      return switch (this) {
        case TEXT -> new TextReport(out, err);
        case JSON -> new JsonReport(out, err);
        case SARIF -> new SarifReport(out, base, version);
      };
    }
  }
}
