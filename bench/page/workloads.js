// Mutation-heavy workloads, written from their description: many nodes at once, added and removed, added and moved, attributes only, deeply
// nested, and a chain of descendants. Each makes its mutations in one task, as a framework's render does.
(() => {
  const list = (tag, count, each) => {
    const fragment = document.createDocumentFragment();
    for (let i = 0; i < count; i++) {
      const element = document.createElement(tag);
      each?.(element, i);
      fragment.append(element);
    }
    return fragment;
  };
  const rows = (count, cells) =>
    list('div', count, (row, i) => {
      row.className = 'row';
      row.append(list('span', cells, (cell, j) => {
        cell.setAttribute('data-cell', `${i}.${j}`);
        cell.textContent = `cell ${i} ${j}`;
      }));
    });
  const nested = (depth) => {
    const top = document.createElement('div');
    let at = top;
    for (let i = 0; i < depth; i++) at = at.appendChild(document.createElement(i % 2 ? 'span' : 'div'));
    at.textContent = 'deep';
    return top;
  };
  window.workloads = {
    'add 1000 x 10': () => document.body.append(rows(1000, 10)),
    'add and remove': () => {
      document.body.append(rows(1000, 10));
      for (const row of [...document.querySelectorAll('.row')]) if (row.previousSibling) row.remove();
      document.body.append(rows(1000, 10));
    },
    'add and move': () => {
      const target = document.createElement('section');
      document.body.append(rows(1000, 10), target);
      for (const row of [...document.querySelectorAll('.row')]) target.prepend(row);
    },
    'attributes': () => {
      for (let round = 0; round < 10; round++) {
        for (const element of window.prepared) element.setAttribute('style', `--round: ${round}; top: ${round}px`);
      }
    },
    'deep nested': () => { for (let i = 0; i < 100; i++) document.body.append(nested(256)); },
    'descendants one by one': () => {
      let at = document.body.appendChild(document.createElement('div'));
      for (let i = 0; i < 1000; i++) {
        const child = document.createElement('p');
        child.textContent = `level ${i}`;
        at.appendChild(child);
        if (i % 50 !== 49) at = child; else at = document.body.appendChild(document.createElement('div'));
      }
    },
    'table of 60,000': () => {
      const table = document.createElement('table');
      table.innerHTML = Array.from({ length: 10000 }, (_, i) =>
        `<tr class="r${i % 2}"><td>${i}</td><td title="t${i}">name ${i}</td><td><b>x</b></td><td>${i * 7}</td></tr>`).join('');
      document.body.append(table);
    },
  };
  window.prepare = () => {
    document.body.replaceChildren();
    document.body.append(list('div', 1000, (element, i) => { element.id = `p${i}`; }));
    window.prepared = [...document.querySelectorAll('div')];
  };
})();
