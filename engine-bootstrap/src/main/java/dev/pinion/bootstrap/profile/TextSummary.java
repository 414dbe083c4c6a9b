package dev.pinion.bootstrap.profile;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** A profile, or the difference of two, in a few lines for a terminal. */
public final class TextSummary {
  /** Most lines of each table. */
  private static final int MAX_LINES = 6;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MB = 1 << 20;

  private final List<Profile> profiles;
  private final int level;
  private final StringBuilder text = new StringBuilder();

  private TextSummary(List<Profile> profiles, int level) {
    this.profiles = profiles;
    this.level = level;
  }

  /**
   * Builds the summary.
   *
   * @param profiles one, or the earlier and the later one
   * @param level parts of package names that are kept
   */
  public static String of(List<Profile> profiles, int level) {
    return new TextSummary(profiles, level).summarised();
  }

  private String summarised() {
    for (Profile profile : profiles) {
      Profile.Header header = profile.header();
      line(header.label() + ": " + header.seconds() + " s, " + totals(profile));
      header.notes().forEach(note -> line("  note: " + note));
    }
    View cpu = view(Kind.CPU);
    table("CPU time by stage", Tables.stages(cpu));
    List<Compared> processes = Tables.processes(cpu);
    if (processes.size() > 1) {
      table("by process", processes);
    }
    table(
        "by package, platform folded into callers",
        Tables.packages(cpu, new Packages(level, true)));
    table("by method, platform folded into callers", Tables.methods(cpu, true));
    table("by definition and task", Tables.tasks(cpu));
    table("by service class", Tables.classes(cpu));
    View allocation = view(Kind.ALLOCATION);
    table("Allocation by class", Tables.subjects(allocation));
    table("by method", Tables.methods(allocation, true));
    View waiting = view(Kind.WAITING);
    table("Waiting by lock", Tables.subjects(waiting));
    table("by method", Tables.methods(waiting, true));
    View disk = view(Kind.DISK);
    table("Waiting for the disk by file", Tables.subjects(disk));
    return text.toString();
  }

  private View view(Kind kind) {
    Predicate<Row> ofKind = row -> row.place().kind() == kind;
    return View.of(profiles, ofKind);
  }

  private static String totals(Profile profile) {
    return String.format(
        Locale.ROOT,
        "%.2f s of CPU time, %.1f MB allocated, %.2f s waited for locks, %.2f s for the disk",
        profile.total(Kind.CPU) / NANOS_PER_SECOND,
        profile.total(Kind.ALLOCATION) / BYTES_PER_MB,
        profile.total(Kind.WAITING) / NANOS_PER_SECOND,
        profile.total(Kind.DISK) / NANOS_PER_SECOND);
  }

  private void table(String title, List<Compared> all) {
    List<Compared> shares = all.stream().filter(Compared::isVisibleByItself).toList();
    if (shares.isEmpty()) {
      return;
    }
    line("");
    line(title);
    Compared.mostChangedFirst(shares).stream().limit(MAX_LINES).forEach(this::row);
  }

  private void row(Compared share) {
    StringBuilder cells = new StringBuilder();
    for (double each : share.exclusive()) {
      cells.append(String.format(Locale.ROOT, "%6.1f %%", 100 * each));
    }
    if (share.exclusive().size() > 1) {
      cells.append(String.format(Locale.ROOT, "  %+6.1f", 100 * share.change()));
    }
    line(cells + "  " + share.name());
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
