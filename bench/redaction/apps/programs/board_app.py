"""Shows a dashboard made with Streamlit over customers: `streamlit run board_app.py`."""

import json
from pathlib import Path

import pandas
import streamlit as st

told = json.loads(Path("people.json").read_text("utf-8"))
st.set_page_config("Customers of Kiln", layout="wide")
st.title("Customers of Kiln")
st.sidebar.header("Filter")
state = st.sidebar.selectbox("State", ["All", "New", "Active", "Closed"])
least = st.sidebar.slider("Least balance", 0, 4000, 200)
who = st.sidebar.text_input("Search by name", "")
rows = [one for one in told if one["balance"] >= least and who.lower() in one["name"].lower()]
left, middle, right = st.columns(3)
left.metric("Customers", len(rows), "2 since yesterday")
middle.metric("Owed", f"{sum(one['balance'] for one in rows):,.2f} EUR", "-3.1 %")
right.metric("Oldest invoice", "41 days")
table, people, chart = st.tabs(["Table", "People", "By month"])
with table:
    st.table(pandas.DataFrame([{key: one[key] for key in ("name", "city", "company", "balance", "joined")} for one in rows[:8]]))  # fmt: skip
with people:
    for one in rows[:6]:
        with st.expander(f"{one['name']}, {one['job']}"):
            st.markdown(f"**{one['email']}**, {one['phone']}  \n{one['street']}, {one['city']}  \nLast call: asked for a *Reed bowl* instead of the *Salt jug*.")  # fmt: skip
with chart:
    st.bar_chart(pandas.DataFrame([{"month": one["joined"][:7], "EUR": one["balance"]} for one in rows]).groupby("month").sum())  # fmt: skip
