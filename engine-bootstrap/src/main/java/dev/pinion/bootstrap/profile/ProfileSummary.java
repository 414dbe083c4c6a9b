package dev.pinion.bootstrap.profile;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** A profile, or the difference of two, in a few lines for a terminal. */
public final class ProfileSummary {
  /** Most lines of each table. */
  private static final int MAX_LINES = 6;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MB = 1 << 20;

  private final List<Profile> profiles;
  private final int level;
  private final StringBuilder text = new StringBuilder();

  private ProfileSummary(List<Profile> profiles, int level) {
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
    return new ProfileSummary(profiles, level).summarised();
  }

  private String summarised() {
    for (Profile profile : profiles) {
      Profile.Header header = profile.header();
      line(header.label() + ": " + header.seconds() + " s, " + totals(profile));
      header.notes().forEach(note -> line("  note: " + note));
    }
    ProfileSelection cpu = view(ProfileKind.CPU);
    table("CPU time by stage", ProfileTables.stages(cpu));
    List<ComparedShare> processes = ProfileTables.processes(cpu);
    if (processes.size() > 1) {
      table("by process", processes);
    }
    table(
        "by package, platform folded into callers",
        ProfileTables.packages(cpu, new PackageGrouping(level, true)));
    table("by method, platform folded into callers", ProfileTables.methods(cpu, true));
    table("by definition and task", ProfileTables.tasks(cpu));
    table("by service class", ProfileTables.classes(cpu));
    ProfileSelection allocation = view(ProfileKind.ALLOCATION);
    table("Allocation by class", ProfileTables.subjects(allocation));
    table("by method", ProfileTables.methods(allocation, true));
    ProfileSelection waiting = view(ProfileKind.WAITING);
    table("Waiting by lock", ProfileTables.subjects(waiting));
    table("by method", ProfileTables.methods(waiting, true));
    ProfileSelection disk = view(ProfileKind.DISK);
    table("Waiting for the disk by file", ProfileTables.subjects(disk));
    return text.toString();
  }

  private ProfileSelection view(ProfileKind profileKind) {
    Predicate<ProfileRow> ofKind = profileRow -> profileRow.place().kind() == profileKind;
    return ProfileSelection.of(profiles, ofKind);
  }

  private static String totals(Profile profile) {
    return String.format(
        Locale.ROOT,
        "%.2f s of CPU time, %.1f MB allocated, %.2f s waited for locks, %.2f s for the disk",
        profile.total(ProfileKind.CPU) / NANOS_PER_SECOND,
        profile.total(ProfileKind.ALLOCATION) / BYTES_PER_MB,
        profile.total(ProfileKind.WAITING) / NANOS_PER_SECOND,
        profile.total(ProfileKind.DISK) / NANOS_PER_SECOND);
  }

  private void table(String title, List<ComparedShare> all) {
    List<ComparedShare> shares = all.stream().filter(ComparedShare::isVisibleByItself).toList();
    if (shares.isEmpty()) {
      return;
    }
    line("");
    line(title);
    ComparedShare.mostChangedFirst(shares).stream().limit(MAX_LINES).forEach(this::row);
  }

  private void row(ComparedShare share) {
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
