//! Who is who among alike: the one-to-one assignment with the smallest total cost.

/// For each row its column, such that the sum of costs is smallest; rows beyond the number of columns get none. Among
/// equals the earlier column goes to the earlier row.
///
/// The Hungarian method with potentials (Kuhn, 1955; the O(n³) form of Jonker and Volgenant, 1987).
pub(super) fn cheapest(rows: usize, columns: usize, cost: &dyn Fn(usize, usize) -> i64) -> Vec<Option<usize>> {
    if rows > columns {
        let mut result = vec![None; rows];
        for (column, row) in cheapest(columns, rows, &|column, row| cost(row, column)).into_iter().enumerate() {
            if let Some(row) = row {
                result[row] = Some(column);
            }
        }
        return result;
    }
    let mut table = Table::new(rows, columns);
    for row in 0..rows {
        table.admit(row, cost);
    }
    let mut result = vec![None; rows];
    for (column, row) in table.holder.iter().take(columns).enumerate() {
        if let Some(row) = *row {
            result[row] = Some(column);
        }
    }
    result
}

/// Rows admitted so far hold columns; potentials keep every reduced cost at zero or above. The last column is a stand-in
/// for the row being admitted.
struct Table {
    holder: Vec<Option<usize>>,
    row_potential: Vec<i64>,
    column_potential: Vec<i64>,
    columns: usize,
}

impl Table {
    fn new(rows: usize, columns: usize) -> Table {
        let column_potential = vec![0; columns + 1];
        Table { holder: vec![None; columns + 1], row_potential: vec![0; rows], column_potential, columns }
    }

    /// Finds the cheapest chain of exchanges that gives `row` a column, and makes it.
    fn admit(&mut self, row: usize, cost: &dyn Fn(usize, usize) -> i64) {
        let mut at = self.columns;
        self.holder[at] = Some(row);
        let mut slack = vec![i64::MAX; self.columns];
        let mut from = vec![self.columns; self.columns];
        let mut reached = vec![false; self.columns + 1];
        while let Some(holder) = self.holder[at] {
            reached[at] = true;
            for column in (0..self.columns).filter(|column| !reached[*column]) {
                let reduced = cost(holder, column) - self.row_potential[holder] - self.column_potential[column];
                if reduced < slack[column] {
                    (slack[column], from[column]) = (reduced, at);
                }
            }
            let open = (0..self.columns).filter(|column| !reached[*column]);
            let Some(next) = open.min_by_key(|column| slack[*column]) else { return };
            self.relax(slack[next], &reached, &mut slack);
            at = next;
        }
        while at != self.columns {
            self.holder[at] = self.holder[from[at]];
            at = from[at];
        }
    }

    fn relax(&mut self, delta: i64, reached: &[bool], slack: &mut [i64]) {
        for column in 0..=self.columns {
            if reached[column] {
                if let Some(holder) = self.holder[column] {
                    self.row_potential[holder] += delta;
                }
                self.column_potential[column] -= delta;
            } else {
                slack[column] -= delta;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn total(costs: &[Vec<i64>], result: &[Option<usize>]) -> i64 {
        result.iter().enumerate().filter_map(|(row, column)| column.map(|column| costs[row][column])).sum()
    }

    /// Every assignment of rows to columns, the slow reference.
    fn least(costs: &[Vec<i64>], row: usize, used: u32) -> i64 {
        if row == costs.len() {
            return 0;
        }
        let free = (0..costs[0].len()).filter(|column| used >> column & 1 == 0);
        free.map(|column| costs[row][column] + least(costs, row + 1, used | 1 << column)).min().unwrap_or(i64::MAX / 4)
    }

    proptest! {
        #[test]
        fn no_other_assignment_is_cheaper(
            costs in (1usize..5, 0usize..3)
                .prop_flat_map(|(rows, more)| prop::collection::vec(prop::collection::vec(0i64..20, rows + more), rows))
        ) {
            let result = cheapest(costs.len(), costs[0].len(), &|row, column| costs[row][column]);
            let mut columns: Vec<_> = result.iter().map(|column| column.unwrap()).collect();
            columns.sort_unstable();
            columns.dedup();
            prop_assert_eq!(columns.len(), costs.len());
            prop_assert_eq!(total(&costs, &result), least(&costs, 0, 0));
            let turned = cheapest(costs[0].len(), costs.len(), &|row, column| costs[column][row]);
            prop_assert_eq!(turned.iter().flatten().count(), costs.len());
        }
    }

    #[test]
    fn nothing_is_assigned_to_nobody() {
        assert_eq!(cheapest(2, 0, &|_, _| 0), [None, None]);
        assert_eq!(cheapest(0, 2, &|_, _| 0), []);
    }
}
