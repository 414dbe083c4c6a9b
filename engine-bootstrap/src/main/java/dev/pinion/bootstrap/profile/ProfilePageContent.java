package dev.pinion.bootstrap.profile;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Computed data of the page: the page draws and selects, it computes nothing. Every share is an
 * array with a number for each profile.
 */
final class ProfilePageContent {
  /** Most lines in each table of the page. */
  static final int MAX_LINES = 40;

  /** Most groups of threads with separate charts. */
  static final int MAX_CHARTS = 8;

  /** Shares are rounded to one part of this. */
  private static final double ROUNDING = 1e5;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<Profile> profiles;
  private final int level;
  private final int depth;

  /**
   * Data of a page.
   *
   * @param profiles one, or the earlier and the later one
   * @param level initial number of parts of package names that are kept
   * @param depth positions of charts
   */
  ProfilePageContent(List<Profile> profiles, int level, int depth) {
    this.profiles = List.copyOf(profiles);
    this.level = level;
    this.depth = depth;
  }

  ObjectNode json() {
    ObjectNode page = JSON.createObjectNode();
    page.put("level", level).put("depth", depth);
    ArrayNode headers = page.putArray("profiles");
    profiles.forEach(each -> header(headers.addObject(), each));
    ArrayNode kinds = page.putArray("kinds");
    for (ProfileKind profileKind : ProfileKind.values()) {
      kind(kinds.addObject(), profileKind);
    }
    return page;
  }

  private static void header(ObjectNode json, Profile profile) {
    Profile.Header header = profile.header();
    json.put("label", header.label())
        .put("began", header.began())
        .put("seconds", header.seconds())
        .put("sampler", header.sampler());
    ArrayNode notes = json.putArray("notes");
    header.notes().forEach(notes::add);
    for (ProfileKind profileKind : ProfileKind.values()) {
      json.put(profileKind.id(), Math.round(profile.total(profileKind)));
    }
  }

  private void kind(ObjectNode json, ProfileKind profileKind) {
    json.put("id", profileKind.id())
        .put("label", profileKind.label())
        .put("unit", profileKind.unit());
    ArrayNode scopes = json.putArray("scopes");
    Predicate<ProfileRow> ofKind = profileRow -> profileRow.place().kind() == profileKind;
    ProfileSelection all = ProfileSelection.of(profiles, ofKind);
    TreeSet<ProfiledProcess> processes = new TreeSet<>();
    all.rows()
        .forEach(rows -> rows.forEach(profileRow -> processes.add(profileRow.place().process())));
    scope(scopes.addObject().put("label", "all processes"), all);
    if (processes.size() > 1) {
      for (ProfiledProcess process : processes) {
        scope(
            scopes.addObject().put("label", process.name()),
            all.where(profileRow -> profileRow.place().process().equals(process)));
      }
    }
  }

  private void scope(ObjectNode json, ProfileSelection profileSelection) {
    ArrayNode totals = json.putArray("totals");
    for (int i = 0; i < profiles.size(); i++) {
      totals.add(Math.round(profileSelection.total(i)));
    }
    table(json.putArray("stages"), ProfileTables.stages(profileSelection));
    table(json.putArray("groups"), ProfileTables.groups(profileSelection));
    table(json.putArray("definitions"), ProfileTables.definitions(profileSelection));
    table(json.putArray("tasks"), ProfileTables.tasks(profileSelection));
    table(json.putArray("classes"), ProfileTables.classes(profileSelection));
    table(json.putArray("subjects"), ProfileTables.subjects(profileSelection));
    table(json.putArray("methods"), ProfileTables.methods(profileSelection, false));
    table(json.putArray("foldedMethods"), ProfileTables.methods(profileSelection, true));
    ObjectNode levels = json.putObject("levels");
    for (int each = PackageGrouping.MIN_LEVEL; each <= PackageGrouping.MAX_LEVEL; each++) {
      ObjectNode ofLevel = levels.putObject(Integer.toString(each));
      level(ofLevel.putObject("folded"), profileSelection, new PackageGrouping(each, true));
      level(ofLevel.putObject("plain"), profileSelection, new PackageGrouping(each, false));
    }
    json.set("tree", new IcicleGraph(profileSelection).json(JSON));
  }

  private void level(
      ObjectNode json, ProfileSelection profileSelection, PackageGrouping packageGrouping) {
    table(json.putArray("packages"), ProfileTables.packages(profileSelection, packageGrouping));
    ArrayNode charts = json.putArray("charts");
    ProfileTables.groups(profileSelection).stream()
        .limit(MAX_CHARTS)
        .forEach(
            group -> chart(charts.addObject(), profileSelection, group.name(), packageGrouping));
  }

  /** The projection of one group of threads in the latest profile. */
  private void chart(
      ObjectNode json,
      ProfileSelection profileSelection,
      String group,
      PackageGrouping packageGrouping) {
    ProfileSelection own =
        profileSelection.where(profileRow -> profileRow.place().group().equals(group));
    int latest = profiles.size() - 1;
    double total = profileSelection.total(latest) == 0 ? 1 : profileSelection.total(latest);
    json.put("group", group);
    ObjectNode weights = json.putObject("weights");
    StackProjection.of(profiles.get(latest), own.rows().get(latest), packageGrouping, depth)
        .packages()
        .forEach(
            (name, byDepth) -> {
              ArrayNode cells = weights.putArray(name);
              byDepth.forEach(each -> cells.add(rounded(each / total)));
            });
  }

  private static void table(ArrayNode json, List<ComparedShare> shares) {
    List<ComparedShare> first = ComparedShare.mostChangedFirst(shares);
    for (ComparedShare each : first.subList(0, Math.min(MAX_LINES, first.size()))) {
      ArrayNode line = json.addArray().add(each.name());
      shares(line.addArray(), each.exclusive());
      shares(line.addArray(), each.inclusive());
    }
  }

  private static void shares(ArrayNode json, List<Double> shares) {
    shares.forEach(each -> json.add(rounded(each)));
  }

  static double rounded(double share) {
    return Math.round(share * ROUNDING) / ROUNDING;
  }
}
