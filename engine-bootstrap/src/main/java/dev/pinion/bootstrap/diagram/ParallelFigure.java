package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Caption;
import java.util.List;

/** A fork: branches side by side between two bars. */
record ParallelFigure(
    Caption caption, boolean compete, CaptionBlock text, List<BranchFigure> branches)
    implements DiagramFigure {
  private static final double BAR = 6;
  private static final double GAP = 24;
  private static final double LEAST_WIDTH = 80;
  private static final double TERMINATE = 11;

  /**
   * A branch.
   *
   * @param ends whether the process ends after it
   */
  record BranchFigure(DiagramFigure figure, boolean ends) {
    double height() {
      return figure.height() + (ends ? 2 * TERMINATE + GAP / 2 : 0);
    }
  }

  static ParallelFigure of(Caption caption, boolean compete, List<BranchFigure> branches) {
    return new ParallelFigure(
        caption, compete, CaptionBlock.withKind(caption), List.copyOf(branches));
  }

  private double branchesWidth() {
    double sum = branches.stream().mapToDouble(branch -> branch.figure().width()).sum();
    return sum + GAP * Math.max(0, branches.size() - 1);
  }

  private double branchesHeight() {
    return branches.stream().mapToDouble(BranchFigure::height).max().orElse(0);
  }

  private static String race() {
    return "the first wins";
  }

  /** The caption stands to the right of the axis, where flow enters. */
  @Override
  public double width() {
    double half = Math.max(LEAST_WIDTH / 2, GAP / 2 + Math.max(text.width(), raceWidth()));
    return Math.max(branchesWidth(), 2 * half);
  }

  private double raceWidth() {
    return compete ? TextWidth.of(race(), PictureStyle.SMALL) : 0;
  }

  @Override
  public double height() {
    return top() + 2 * BAR + 2 * GAP + branchesHeight() + (compete ? PictureStyle.LINE : 0);
  }

  private double top() {
    return text.height() + 4;
  }

  @Override
  public double axis() {
    return width() / 2;
  }

  @Override
  public double inset() {
    return top();
  }

  @Override
  public void draw(SvgPage page, double x, double y) {
    page.open(caption);
    double split = y + top();
    double join = split + BAR + 2 * GAP + branchesHeight();
    text.draw(page, x + axis() + GAP / 2, y);
    page.rectangle("solid", x, split, width(), BAR, 2);
    page.rectangle(compete ? "inner bold" : "solid", x, join, width(), BAR, 2);
    double left = x + (width() - branchesWidth()) / 2;
    for (BranchFigure branch : branches) {
      draw(page, branch, left, split + BAR, join);
      left += branch.figure().width() + GAP;
    }
    if (compete) {
      page.text("label", x + axis() + GAP / 2, join + BAR + 0.8 * PictureStyle.LINE, race());
      page.path("flow", x + axis(), join + BAR, "M0 0V" + SvgPage.number(PictureStyle.LINE));
    }
    page.close();
  }

  private static void draw(
      SvgPage page, BranchFigure branch, double left, double split, double join) {
    DiagramFigure figure = branch.figure();
    double axis = left + figure.axis();
    double bottom = split + GAP + figure.height();
    FlowLine.straight(axis, split, split + GAP + figure.inset()).draw(page, "flow");
    figure.draw(page, left, split + GAP);
    if (branch.ends()) {
      double end = bottom + GAP / 2;
      FlowLine.straight(axis, bottom, end).draw(page, "flow");
      page.circle("inner bold", axis, end + TERMINATE, TERMINATE);
      page.circle("solid", axis, end + TERMINATE, TERMINATE / 2);
    } else {
      FlowLine.straight(axis, bottom, join).draw(page, "flow");
    }
  }
}
