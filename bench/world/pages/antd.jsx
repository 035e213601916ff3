// An admin page in Arabic, right to left.
import { Button, Cascader, Checkbox, ConfigProvider, DatePicker, Drawer, Form, Input, InputNumber, Layout, Menu, Modal, Progress, Segmented, Select, Slider, Steps, Switch, Table, Tabs, Tag, Tooltip, Tree, message } from "antd";
import ar from "antd/locale/ar_EG";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const rows = [...Array(42)].map((_, i) => ({ key: i, name: `إناء ${i}`, glaze: ["سيلادون", "كوبالت", "طباشير"][i % 3], degrees: 1200 + ((i * 7) % 90), sold: i % 2 === 0 }));
const columns = [
  { title: "الاسم", dataIndex: "name", filters: [{ text: "إناء 1", value: "1" }], onFilter: (value, row) => row.name.includes(value) },
  { title: "الطلاء", dataIndex: "glaze" },
  { title: "الحرارة", dataIndex: "degrees", sorter: (a, b) => a.degrees - b.degrees },
  { title: "الحالة", dataIndex: "sold", render: (sold) => <Tag color={sold ? "green" : "volcano"}>{sold ? "مباع" : "متاح"}</Tag> },
];

function Page() {
  const [drawer, setDrawer] = useState(false);
  const [modal, setModal] = useState(false);
  const [chosen, setChosen] = useState([]);
  const [said, holder] = message.useMessage();
  return (
    <ConfigProvider direction="rtl" locale={ar} theme={{ token: { colorPrimary: "#0a7a5a" } }}>
      {holder}
      <Layout style={{ minHeight: "100vh" }}>
        <Layout.Sider collapsible><Menu theme="dark" mode="inline" items={[{ key: 1, label: "الطلبات" }, { key: 2, label: "المخزن", children: [{ key: 3, label: "الأواني" }, { key: 4, label: "الأفران" }] }]} /></Layout.Sider>
        <Layout.Content style={{ padding: 16 }}>
          <Steps current={1} items={[{ title: "طلب" }, { title: "حرق" }, { title: "شحن" }]} />
          <Form layout="inline" style={{ margin: "12px 0" }}>
            <Form.Item label="بحث"><Input placeholder="اكتب اسم الإناء" id="search" /></Form.Item>
            <Form.Item label="المدينة"><Select style={{ width: 140 }} id="city" options={["القاهرة", "دمشق", "بغداد"].map((value) => ({ value, label: value }))} /></Form.Item>
            <Form.Item><DatePicker id="day" /></Form.Item>
          </Form>
          <Table size="small" rowSelection={{ selectedRowKeys: chosen, onChange: setChosen }} columns={columns} dataSource={rows} pagination={{ pageSize: 6 }} />
          <Button type="primary" onClick={() => setDrawer(true)}>تفاصيل</Button> <Button danger onClick={() => setModal(true)}>حذف</Button> <Slider defaultValue={30} style={{ width: 300 }} />
        </Layout.Content>
      </Layout>
      <Drawer title="تفاصيل الإناء" open={drawer} onClose={() => setDrawer(false)}><Switch /> <InputNumber defaultValue={3} /><Tree defaultExpandAll treeData={[{ title: "أصل", key: "0", children: [{ title: "فرع", key: "1" }] }]} /></Drawer>
      <Modal title="هل أنت متأكد؟" open={modal} onOk={() => { setModal(false); said.success("تم الحذف", 0); }} onCancel={() => setModal(false)}>لا يمكن التراجع عن هذا.</Modal>
    </ConfigProvider>
  );
}
createRoot(document.getElementById("app")).render(<Page />);
window.ready = true;
