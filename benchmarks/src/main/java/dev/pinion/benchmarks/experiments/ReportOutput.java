package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.report.Report;
import dev.pinion.benchmarks.report.ResultFiles;
import dev.pinion.benchmarks.testbed.UnconfinedMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Where the report of a run goes: to standard output, and into a folder if one is named.
 *
 * @param folder folder for its files; null for none
 * @param json whether standard output gets it as JSON, else as text
 */
public record ReportOutput(@Nullable Path folder, boolean json) {
  /** Creates the folder: before a run, so that no report is lost at its end. */
  public void prepare() throws IOException {
    if (folder != null) {
      ResultFiles.prepare(folder);
    }
  }

  /**
   * Prints and writes a report.
   *
   * @param machines machines in the report, by name
   * @param command command whose output it is
   */
  public void accept(Report report, Map<String, UnconfinedMachine> machines, CommandLine command)
      throws IOException {
    command.getOut().print(json ? report.json().toPrettyString() + "\n" : report.text());
    command.getOut().flush();
    if (folder != null) {
      Map<String, String> drawings = new LinkedHashMap<>();
      machines.forEach((name, machine) -> drawings.put(name, machine.drawing(name)));
      ResultFiles.write(folder, report, drawings);
      command.getErr().println("wrote " + folder.resolve(ResultFiles.PAGE).toAbsolutePath());
    }
  }
}
